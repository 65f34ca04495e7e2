// `shunt repair-json`: broken JSON, or the beginning of JSON, as JSON.
#include <optional>
#include <string>

#include "native/commands.h"
#include "native/files.h"
#include "text/partial_json.h"
#include "text/repair.h"
#include "text/schema.h"

namespace shunt::native {
namespace {

std::optional<std::string> repaired(std::string_view text, const RepairJsonOptions& options) {
  text::RepairOptions rules;
  rules.latex = options.latex;
  if (!options.partial) return text::repair_json(text, rules);
  text::PartialJson partial(rules);
  partial.feed(text);
  return partial.completed();
}

}  // namespace

int run_repair_json(const RepairJsonOptions& options) {
  const auto text = read_input(options.file);
  if (!text) return kUsage;
  std::optional<std::string> schema;
  if (!options.schema.empty()) {
    schema = read_input(options.schema);
    if (!schema) return kUsage;
  }
  auto json = repaired(*text, options);
  if (!json) {
    note("repair-json: " + shown_name(options.file) + ": nothing could be saved");
    return kDifference;
  }
  if (schema) json = text::mend_keys(*json, *schema);
  print(*json + "\n");
  return kFine;
}

}  // namespace shunt::native
