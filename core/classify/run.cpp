// A run is an address, or parts with signs between them, of which each rest is judged as a whole again. Where
// signs stand in a run is found once, for a rest ends where its run does.
#include "classify/run.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/packed_texts.h"

namespace shunt::classify {
namespace {

constexpr bool is_address(char c) {
  return is_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f') || c == ':' || c == '.';
}

bool is_ipv4(std::string_view host) {
  unsigned parts = 1;
  unsigned part = 0;
  bool digits = false;
  for (const char c : host) {
    if (is_digit(c)) {
      part = part * 10 + static_cast<unsigned>(c - '0');
      digits = true;
      if (part > 255) return false;
    } else if (c == '.' && digits) {
      ++parts;
      part = 0;
      digits = false;
    } else {
      return false;
    }
  }
  return parts == 4 && digits;
}

constexpr std::string_view kLocalEndList =
    ".internal|.local|.svc|.lan|.corp|.intranet|.home.arpa|.consul|.localdomain";
constexpr auto kLocalEnds = packed_texts<ListTable<kLocalEndList>>();

bool ends_locally(std::string_view host) {
  const char last = host.empty() ? ' ' : to_lower(host.back());
  for (PackedTexts ends(kLocalEnds); !ends.empty();) {
    const std::string_view end = ends.text();
    if (end.back() == last && host.size() >= end.size() &&
        equal_fold(host.substr(host.size() - end.size()), end))
      return true;
  }
  return false;
}

// What holds no signs.
void hide_name(std::string_view name, Suspect& suspect, std::string& out) {
  out += suspect.is_secret() ? kHiddenKey : is_local_name(name) ? kHiddenHost : name;
}

class Run {
 public:
  Run(std::string_view run, unsigned signs) : rest_(run), signs_(signs) {}

  void hide(std::string& out, std::size_t most);
  // Addresses and names that only mean something inside somebody's network.
  bool is_hidden_host();

 private:
  // The first of these signs, or what else, in the run and in its rests until one begins behind it.
  struct Place {
    unsigned signs = 0;
    const char* at = nullptr;
  };

  template <typename Find>
  std::size_t place_of(const char*& at, Find find);
  std::size_t next(Place& place);
  bool holds(unsigned all) const { return (signs_ & all) == all; }
  void hide_url(std::size_t scheme_end, std::string& out);
  bool is_person();
  void cut_query();
  void hide_part(std::string_view part, std::size_t sign, std::string& out, std::size_t most) const;

  Suspect rest_;
  unsigned signs_;
  Place any_{kSigns}, query_{kQuestion}, person_{kAt}, value_{kColon | kEquals}, part_{kSlash | kNext},
      host_{kColon | kSlash};
  const char* scheme_ = nullptr;  // "://"
  const char* other_ = nullptr;   // what stands in no address
  const char* host_end_ =
      nullptr;  // of the last host that was looked at, what of it counts, and what that tells
  const char* host_last_ = nullptr;
  std::optional<bool> hidden_;
};

template <typename Find>
std::size_t Run::place_of(const char*& at, Find find) {
  const std::string_view run = rest_.run();
  if (at == nullptr || at < run.data()) at = run.data() + std::min(find(run), run.size());
  return std::min(static_cast<std::size_t>(at - run.data()), run.size());
}

std::size_t Run::next(Place& place) {
  if ((signs_ & place.signs) == 0) return rest_.run().size();
  return place_of(place.at, [&place](std::string_view run) {
    const auto is_meant = [&place](char c) { return (run_character(c) & place.signs) != 0; };
    return static_cast<std::size_t>(std::find_if(run.begin(), run.end(), is_meant) - run.begin());
  });
}

bool Run::is_hidden_host() {
  const std::string_view run = rest_.run();
  const auto find_other = [](std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_address) - text.begin());
  };
  if (holds(kColon) && place_of(other_, find_other) == run.size()) {
    const auto colons = std::count(run.begin(), run.end(), ':');
    if (colons >= 4 || (colons >= 2 && run.find("::") != std::string_view::npos)) return true;
  }
  if (const char* end = run.data() + next(host_); end != host_end_) {
    host_end_ = host_last_ = end;
    const auto is_loose = [](char c) { return c == '-' || c == '.'; };  // "10.0.0.5:80->10.0.0.6:443"
    while (host_last_ != run.data() && is_loose(host_last_[-1])) --host_last_;
    hidden_.reset();
  }
  if (host_last_ <= run.data()) return false;
  const std::string_view host = run.substr(0, static_cast<std::size_t>(host_last_ - run.data()));
  if (is_local_name(host)) return true;
  if (is_digit(host.front())) return is_ipv4(host);
  if (!hidden_) hidden_ = holds(kDot) && ends_locally(host);
  return *hidden_;
}

// Scheme, host and path stay; user names, queries and fragments go. A host of one word is somebody's own.
void Run::hide_url(std::size_t scheme_end, std::string& out) {
  std::string_view rest = rest_.run().substr(scheme_end);
  const auto is_behind = [](char c) { return (run_character(c) & (kQuestion | kNext)) != 0; };
  rest = rest.substr(
      0, static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), is_behind) - rest.begin()));
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view host = rest.substr(0, slash);
  if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  const bool bare = !host.empty() && host.find('.') == std::string_view::npos;
  out += rest_.run().substr(0, scheme_end);
  out += bare || Run(host, kSigns).is_hidden_host() ? kHiddenHost : host;
  std::string_view path = rest.substr(slash);
  while (!path.empty()) {
    out += '/';
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view step = path.substr(0, end);
    out += is_secret(step) ? kHiddenKey : step;
    path.remove_prefix(end);
  }
}

// The query of an address without its scheme may be signed.
void Run::cut_query() {
  const std::string_view run = rest_.run();
  const std::size_t query = next(query_);
  if (run.find('=', query) != std::string_view::npos) rest_ = Suspect(run.substr(0, query));
}

bool Run::is_person() {
  const std::size_t at = next(person_);
  return at > 0 && rest_.run().find('.', at) != std::string_view::npos;
}

// What stands before a sign; `sign` is where the first of any kind is.
void Run::hide_part(std::string_view part, std::size_t sign, std::string& out, std::size_t most) const {
  if (sign < part.size()) return Run(part, signs_).hide(out, most);
  Suspect suspect(part);
  hide_name(part, suspect, out);
}

void Run::hide(std::string& out, std::size_t most) {
  while (out.size() <= most) {
    std::string_view run = rest_.run();
    const std::size_t sign = next(any_);
    if (sign == run.size()) return hide_name(run, rest_, out);
    if (holds(kColon | kSlash)) {
      const std::size_t scheme = place_of(scheme_, [](std::string_view text) { return text.find("://"); });
      if (scheme < run.size()) return hide_url(scheme + 3, out);
    }
    if (holds(kQuestion | kEquals)) cut_query();
    if (holds(kAt | kDot) && is_person()) {
      out += kHiddenPerson;
      return;
    }
    if (is_hidden_host()) {
      out += kHiddenHost;
      return;
    }
    run = rest_.run();
    const std::size_t value = next(value_);
    if (value > 0 && value < run.size()) {
      const std::string_view name = run.substr(0, value);
      hide_part(name, sign, out, most);
      out += run[value];
      rest_.remove_prefix(value + 1);
      if (value + 1 < run.size() && names_a_secret(name)) {
        out += kHiddenKey;
        return;
      }
      continue;
    }
    if (rest_.is_secret()) {
      out += kHiddenKey;
      return;
    }
    const std::size_t part = next(part_);
    if (part == run.size()) {
      out += run;
      return;
    }
    hide_part(run.substr(0, part), sign, out, most);
    out += run[part];
    rest_.remove_prefix(part + 1);
  }
}

// Whether nothing of a run of many parts is hidden, whichever of them are looked at together.
bool is_plain(std::string_view run, unsigned signs) {
  signs &= kSigns;
  if (signs == 0 || (signs & ~unsigned{kSlash | kEquals | kNext}) != 0 || !is_harmless(run)) return false;
  std::size_t part = 0;  // where it begins, and where what a value's name may be
  std::size_t name = 0;
  for (std::size_t at = 0; at <= run.size(); ++at) {
    if (at < run.size() && (run_character(run[at]) & kSigns) == 0) continue;
    if (at - part >= kShortestRandom || is_local_name(run.substr(part, at - part))) return false;
    part = at + 1;
    if (at == run.size() || run[at] != '=') continue;
    if (at == name || names_a_secret(run.substr(name, at - name))) return false;
    name = at + 1;
  }
  return true;
}

}  // namespace

bool names_a_machine(std::string_view host) {
  return equal_fold(host, "localhost") || (is_digit(host[3]) && equal_fold(host.substr(0, 3), "ip-"));
}

void hide_run(std::string_view run, unsigned signs, std::string& out, std::size_t most) {
  if (is_plain(run, signs)) {
    out += run;
    return;
  }
  Run(run, signs).hide(out, most);
}

}  // namespace shunt::classify
