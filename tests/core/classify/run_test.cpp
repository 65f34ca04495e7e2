// What of a run may be shown: each kind, and that a long run is judged as its parts are, one rest after
// another.
#include "classify/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "classify/secrets.h"
#include "core/dice.h"

namespace shunt::classify {
namespace {

std::string shown(std::string_view run, std::size_t most = 1000) {
  std::string out;
  hide_run(run, 0xFF, out, most);
  return out;
}

TEST(Run, HidesMachinesPeopleAndKeys) {
  struct Case {
    const char* run;
    const char* shown;
  };
  for (const Case& c : {Case{"10.0.0.5:8000", "[host]"},
                        Case{"10.0.0.256", "10.0.0.256"},
                        Case{"10.0.0", "10.0.0"},
                        Case{"1.2.3.4.5", "1.2.3.4.5"},
                        Case{"fe80::1", "[host]"},
                        Case{"12:30", "12:30"},
                        Case{"a:b:c:d:e", "[host]"},
                        Case{"a:b:c:d:x", "a:b:c:d:x"},
                        Case{"db.internal", "[host]"},
                        Case{"DB.Internal.", "[host]"},
                        Case{"x.internals", "x.internals"},
                        Case{"ip-10-0-0-5", "[host]"},
                        Case{"LOCALHOST:80/x", "[host]"},
                        Case{"a.b@c.d", "[email]"},
                        Case{"@c.d", "@c.d"},
                        Case{"https://u:p@h.example/a?k=v", "https://h.example/a"},
                        Case{"https://h/a", "https://[host]/a"},
                        Case{"a?b", "a?b"},
                        Case{"a/b?c=d", "a/b"},
                        Case{"key=x", "key=[key]"},
                        Case{"keys:", "keys:"},
                        Case{"max_tokens=5", "max_tokens=5"},
                        Case{"model/sk-abcdefgh", "[key]"},
                        Case{"tcp/10.0.0.5:80", "tcp/[host]:80"},
                        Case{"a&10.0.0.5", "a&[host]"},
                        Case{"", ""}}) {
    EXPECT_EQ(shown(c.run), c.shown) << c.run;
  }
}

TEST(Run, IsNotReadOnBehindWhatCanBeShown) {
  std::string run;
  while (run.size() < 5000) run += "abcdefgh/";
  EXPECT_LE(shown(run, 100).size(), 109U);
}

// ---- the same, said plainly: each rest is judged as if nothing had stood before it ----

bool is_sign(char c) { return (run_character(c) & kSigns) != 0; }

bool plain_ipv6(std::string_view host) {
  const auto colons = std::count(host.begin(), host.end(), ':');
  const auto in_address = [](char c) {
    return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f') || c == ':' || c == '.';
  };
  return std::all_of(host.begin(), host.end(), in_address) &&
         (colons >= 4 || (colons >= 2 && host.find("::") != std::string_view::npos));
}

bool plain_ipv4(std::string_view host) {
  int parts = 0;
  while (!host.empty() || parts == 0) {
    const auto part = parse_uint(cut(host, '.'));
    if (!part || *part > 255) return false;
    ++parts;
  }
  return parts == 4;
}

bool plain_hidden_host(std::string_view host) {
  if (plain_ipv6(host)) return true;
  host = host.substr(0, host.find_first_of(":/"));
  while (host.ends_with('-') || host.ends_with('.')) host.remove_suffix(1);
  if (is_local_name(host)) return true;
  if (host.find('.') == std::string_view::npos) return false;
  if (is_digit(host.front())) return plain_ipv4(host);
  return to_lower(host).ends_with(".internal") || to_lower(host).ends_with(".lan");
}

std::string plainly(std::string_view run) {
  if (std::none_of(run.begin(), run.end(), is_sign))
    return std::string(is_secret(run) ? kHiddenKey : is_local_name(run) ? kHiddenHost : run);
  const std::size_t query = run.find('?');
  if (run.find('=', std::min(query, run.size())) != std::string_view::npos) run = run.substr(0, query);
  const std::size_t at = run.find('@');
  if (at != std::string_view::npos && at > 0 && run.find('.', at) != std::string_view::npos)
    return std::string(kHiddenPerson);
  if (plain_hidden_host(run)) return std::string(kHiddenHost);
  if (const std::size_t sign = run.find_first_of("=:"); sign != std::string_view::npos && sign > 0) {
    const std::string_view name = run.substr(0, sign);
    const std::string_view value = run.substr(sign + 1);
    const bool secret = !value.empty() && names_a_secret(name);
    return plainly(name) + run[sign] + (secret ? std::string(kHiddenKey) : plainly(value));
  }
  if (is_secret(run)) return std::string(kHiddenKey);
  const std::size_t sign = run.find_first_of("/&#");
  if (sign == std::string_view::npos) return std::string(run);
  return plainly(run.substr(0, sign)) + run[sign] + plainly(run.substr(sign + 1));
}

TEST(Run, IsJudgedAsItsPartsAre) {
  constexpr std::string_view kParts[] = {
      "/",          "/",        "&",     "#",          ":",           ":",      "=",
      "?",          "@",        ".",     "%",          "-",           "a",      "x",
      "7",          "10.0.0.5", "fe80:", "::1",        "db.internal", ".lan",   "localhost",
      "ip-10",      "api_key",  "token", "max_tokens", "sk-abcdefgh", "aB3xY9", "0123456789abcdef",
      "Qw2Lk8Zt5v", "word",     "..",    "--"};
  Dice dice(9);
  for (int round = 0; round < 100'000; ++round) {
    std::string run;
    for (std::size_t left = dice.below(14); left > 0; --left) run += dice.of(kParts);
    if (run.find("://") != std::string::npos) continue;
    ASSERT_EQ(shown(run), plainly(run)) << run;
  }
}

}  // namespace
}  // namespace shunt::classify
