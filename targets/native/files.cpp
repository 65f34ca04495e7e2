// Files and standard streams by C stdio: no locale, no formatting, bytes as they are.
#include "native/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace shunt::native {
namespace {

constexpr std::size_t kReadBytes = 64 * 1024;

bool is_stdin(const std::string& path) { return path.empty() || path == "-"; }

bool read_all(std::FILE* file, std::string& out) {
  char buffer[kReadBytes];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) out.append(buffer, count);
  return std::ferror(file) == 0;
}

}  // namespace

std::optional<std::string> read_input(const std::string& path) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> opened;
  std::string bytes;
  if (!is_stdin(path)) opened.reset(std::fopen(path.c_str(), "rb"));
  if ((is_stdin(path) || opened) && read_all(opened ? opened.get() : stdin, bytes)) return bytes;
  note(shown_name(path) + ": " + std::strerror(errno));
  return std::nullopt;
}

std::string shown_name(const std::string& path) { return is_stdin(path) ? "standard input" : path; }

std::string json_line(std::string_view json) {
  struct Escape {
    std::string_view bytes, escape;
  };
  constexpr Escape kEscapes[] = {
      {"\xC2\x85", "\\u0085"}, {"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"}};
  std::string out(json);
  for (const auto& [bytes, escape] : kEscapes) {
    for (std::size_t at = 0; (at = out.find(bytes, at)) != std::string::npos; at += escape.size()) {
      out.replace(at, bytes.size(), escape);
    }
  }
  return out += '\n';
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void note(std::string_view line) {
  const std::string text = "shunt: " + std::string(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace shunt::native
