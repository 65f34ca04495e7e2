// "providers": who serves an API. Names, keys by name, and what departs from a preset or a dialect.
#include "catalog/providers.h"

#include "config/drafts.h"
#include "config/keys.h"
#include "config/names.h"
#include "config/shown.h"

namespace shunt::config {
namespace {

using P = ProviderDraft;

void read_keys(Reader& in, P& into) {
  into.keys_given = true;
  const std::uint64_t at = in.at();
  if (in.is_string()) {
    const std::string text = in.text().value_or("");
    into.client_key = text == "client";
    if (!into.client_key) {  // perhaps a key itself: not quoted
      in.report().fault(at, "a string", "a list of names of secrets, or \"client\"");
    }
    return;
  }
  if (!in.enter_array()) return;
  std::size_t count = 0;
  while (in.next_element()) {
    if (++count > limits::kKeySlots) {
      in.wrong("at most 64 keys");
    } else if (auto name = read_secret_name(in)) {
      into.keys.push_back(std::move(*name));
    }
  }
  if (count == 0)
    in.report().fault(at, "an empty list", "the names of one or more secrets; leave \"keys\" out for none");
}

constexpr auto kAuthKinds = std::to_array<Word<AuthKind>>({
    {"none", AuthKind::none},
    {"bearer", AuthKind::bearer},
    {"header", AuthKind::header},
    {"query", AuthKind::query},
    {"aws_sigv4", AuthKind::aws_sigv4, false},
    {"oauth2", AuthKind::oauth2, false},
    {"google_service_account", AuthKind::google_service_account, false},
});

void read_dialect(Reader& in, P& into) {
  into.source_given = true;
  const std::uint64_t at = in.at();
  const auto text = in.text();
  if (!text) return;
  if (const auto id = dialect_named(*text)) {
    into.dialect = Placed<DialectId>{*id, at};
  } else {
    in.report().fault(at, quoted(*text), listed(kDialectNames), nearest(*text, kDialectNames));
  }
}

void read_preset(Reader& in, P& into) {
  into.source_given = true;
  const std::uint64_t at = in.at();
  auto text = in.text();
  if (!text) return;
  if (find_preset(*text) != nullptr) {
    into.preset = Name{std::move(*text), at};
    return;
  }
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  in.report().fault(at, quoted(*text), "a preset: " + listed(names), nearest(*text, names));
}

void read_quirks(Reader& in, P& into) {
  std::vector<Word<Quirk>> words;
  for (const QuirkName& row : kQuirkNames) words.push_back({row.name, row.quirk, true});
  if (!in.enter_array()) return;
  Quirks quirks = 0;
  while (in.next_element()) {
    if (const auto quirk = read_word(in, std::span<const Word<Quirk>>(words))) quirks = with(quirks, *quirk);
  }
  into.quirks = quirks;
}

void read_auth_name(Reader& in, P& into) {
  const std::uint64_t at = in.at();
  const auto name = in.text();
  if (!name) return;
  if (!valid_id(*name)) {
    in.report().fault(at, "a string of no use as a name", "the header or query parameter that takes the key");
  } else {
    into.auth_name = *name;
  }
}

void read_address(Reader& in, P& into) {
  into.base_url_given = true;
  into.base_url = read_base_url(in);
}

constexpr auto kProvider = std::to_array<Key<P>>({
    {"preset", read_preset},
    {"dialect", read_dialect},
    {"base_url", read_address},
    {"path", [](Reader& in, P& into) { into.path = read_path(in); }},
    {"stream_path", [](Reader& in, P& into) { into.stream_path = read_path(in); }},
    {"keys", read_keys},
    {"auth", word<&P::auth, kAuthKinds>},
    {"auth_name", read_auth_name},
    {"headers", [](Reader& in, P& into) { read_headers(in, into.headers); }},
    {"quirks", read_quirks},
    {"region", text<&P::region>, Stand::later},
    {"timeouts", [](Reader& in, P& into) { read_timeouts(in, into.timeouts); }},
    {"breaker", [](Reader& in, P& into) { read_breaker(in, into.breaker); }},
    {"name", expect_text},  // for people; may be anything
});

}  // namespace

void read_providers(Reader& in, Draft& into) {
  in.each_member([&](std::string_view name, std::uint64_t at) {
    P provider;
    provider.name = name;
    provider.at = at;
    const bool named = check_id(in, name, at);
    const bool read = read_object(in, provider, std::span<const Key<P>>(kProvider)).has_value();
    if (named && read) into.providers.push_back(std::move(provider));
  });
}

}  // namespace shunt::config
