// "providers": who serves an API. Names, keys by name, and what departs from a preset or a dialect.
#include "catalog/providers.h"

#include "base/limits.h"
#include "config/drafts.h"
#include "config/names.h"
#include "config/shown.h"
#include "config/values.h"

namespace shunt::config {
namespace {

using P = ProviderDraft;

void read_keys(Reader& in, P& into) {
  into.keys_given = true;
  const std::uint64_t at = in.at();
  if (in.is_string()) {
    into.row.client_key = in.is_string("client");
    if (!into.row.client_key)  // perhaps a key itself: not quoted
      in.report().fault(at, "a string", "a list of names of secrets, or \"client\"");
    return in.skip();
  }
  if (!in.enter_array()) return;
  std::size_t count = 0;
  while (in.next_element()) {
    std::string name;
    if (++count > limits::kKeySlots) {
      in.wrong("at most 64 keys");
    } else if (read_secret_name(in, name)) {
      into.row.keys.push_back(std::move(name));
    }
  }
  if (count == 0)
    in.report().fault(at, "an empty list", "the names of one or more secrets; leave \"keys\" out for none");
}

void read_dialect(Reader& in, P& into) {
  into.source_given = true;
  into.dialect_at = in.at();
  if (!in.is_string()) return in.wrong("a string");
  const auto place = read_word_of(in, Names(kDialectNames.begin(), kDialectNames.end()));
  if (place) into.dialect = static_cast<DialectId>(*place);
}

void read_preset(Reader& in, P& into) {
  into.source_given = true;
  into.preset_at = in.at();
  std::string text;
  if (!in.text(text)) return;
  if (find_preset(text) != nullptr) {
    into.row.preset = std::move(text);
    return;
  }
  Names names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  in.report().fault(into.preset_at, quoted(text), "a preset: " + listed(names), nearest(text, names));
}

void read_quirks(Reader& in, P& into) {
  if (!in.enter_array()) return;
  Names names;
  for (const QuirkName& row : kQuirkNames) names.push_back(row.name);
  Quirks quirks = 0;
  while (in.next_element()) {
    if (const auto place = read_word_of(in, names))
      quirks = with(quirks, kQuirkNames[static_cast<std::size_t>(*place)].quirk);
  }
  into.quirks = quirks;
}

void read_auth_name(Reader& in, P& into) {
  const std::uint64_t at = in.at();
  std::string name;
  if (!in.text(name)) return;
  if (!valid_id(name)) {
    in.report().fault(at, "a string of no use as a name", "the header or query parameter that takes the key");
  } else {
    into.row.auth_name = std::move(name);
  }
}

void read_address(Reader& in, P& into) {
  into.base_url_given = true;
  read_base_url(in, into.row.base_url);
}

constexpr auto kProvider = table<P>({
    {"preset", own<read_preset>()},
    {"dialect", own<read_dialect>()},
    {"base_url", own<read_address>()},
    {"path", own<read_path, &P::row, &Provider::path>()},
    {"stream_path", own<read_path, &P::row, &Provider::stream_path>()},
    {"keys", own<read_keys>()},
    {"auth", word<&P::auth>("none bearer header query ~aws_sigv4 ~oauth2 ~google_service_account")},
    {"auth_name", own<read_auth_name>()},
    {"headers", own<read_headers, &P::row, &Provider::headers>()},
    {"quirks", own<read_quirks>()},
    {"region", own<read_id_text, &P::row, &Provider::region>()},
    {"timeouts", own<read_timeouts, &P::timeouts>()},
    {"breaker", own<read_breaker, &P::breaker>()},
    {"name", text()},  // for people; may be anything
});

}  // namespace

void read_providers(Reader& in, Draft& into) {
  for (Members members(in); members.next();) {
    P& provider = into.providers.emplace_back();
    provider.row.name = members.name();
    provider.at = members.at();
    const bool named = check_id(in, members.name(), members.at());
    const bool read = read_object(in, provider, kProvider) != kNoObject;
    if (!named || !read) into.providers.pop_back();
  }
}

}  // namespace shunt::config
