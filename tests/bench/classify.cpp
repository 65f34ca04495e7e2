// What judging a failure costs, as lines of JSON, one for each kind of body of 1 KB. Driven by classify.mjs.
// With arguments (NAME TIMES) it judges that kind so often and prints nothing, for profilers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "bench/timing.h"
#include "classify/classify.h"
#include "classify/messages.h"
#include "classify/verdict_json.h"

namespace {

using namespace shunt;
using bench::ns_of;

constexpr std::size_t kBytes = 1024;
constexpr std::string_view kWords =
    "The request could not be handled as it was sent; look at the documentation of this call. ";
constexpr std::string_view kChinese = "请求没有按原样处理，请查看此接口的文档。";

// What a provider may send; or, `worst`, what one could only think of to make a reader look twice.
struct Kind {
  const char* name;
  std::string provider;
  int status = 400;
  std::string body;
  bool worst = true;
};

// As often as it goes into `size` bytes, cut between two.
std::string repeated(std::string_view text, std::size_t size) {
  std::string out;
  while (out.size() + text.size() <= size) out += text;
  return out;
}

// Before and behind stand as they are, what is between is repeated until all is 1 KB.
std::string filled(std::string_view before, std::string_view between, std::string_view behind) {
  std::string out(before);
  out += repeated(between, kBytes - before.size() - behind.size());
  out += behind;
  return out;
}

// A JSON string's content, escaped once more.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string big_endian(std::size_t value) {
  std::string out;
  for (unsigned shift = 32; shift > 0; shift -= 8) out += static_cast<char>(value >> (shift - 8) & 0xFFU);
  return out;
}

std::string aws_header(std::string_view name, std::string_view value) {
  std::string out(1, static_cast<char>(name.size()));
  out.append(name).append("\x07", 1).append(1, '\0').append(1, static_cast<char>(value.size())).append(value);
  return out;
}

std::string aws_exception(std::string_view payload) {
  const std::string headers = aws_header(":exception-type", "throttlingException") +
                              aws_header(":content-type", "application/json") +
                              aws_header(":message-type", "exception");
  std::string out = big_endian(16 + headers.size() + payload.size()) + big_endian(headers.size()) + "sum.";
  return out.append(headers).append(payload).append("sum.");
}

std::string nested() {
  std::string body = R"({"error":{"message":")" + repeated(kWords, 880) + R"(","code":"server_error"}})";
  for (int level = 0; level < 2; ++level)
    body = R"({"error":{"code":502,"message":")" + escaped(body) + "\"}}";
  return body;
}

// A sentence of an openai_chat error made of this.
std::string said(std::string_view between) { return filled(R"({"error":{"message":")", between, "\"}}"); }

std::vector<Kind> kinds() {
  constexpr std::string_view kPage =
      "<!DOCTYPE html><html lang=\"en-US\"><head><title>502: Bad gateway</title><meta charset=\"UTF-8\" />"
      "<style>body{margin:0;padding:0}.wrapper{width:100%;max-width:60rem}</style>"
      "<script>window._cf_translation = {};</script></head><body><div id=\"cf-wrapper\"><h1>";
  return {
      {"JSON, known code", "openai", 429,
       filled(R"({"error":{"code":"rate_limit_exceeded","type":"requests","message":")", kWords, "\"}}"),
       false},
      {"JSON, sentence only", "mistral", 429,
       filled(R"({"object":"error","message":")", kWords, R"( Rate limit exceeded"})"), false},
      {"JSON, nothing known", "openai", 418,
       filled(R"({"error":{"message":")", kWords, R"(","type":"odd","code":"odder"}})"), false},
      {"JSON, Chinese", "zhipu", 429, filled(R"({"error":{"code":"1302","message":")", kChinese, "\"}}"),
       false},
      {"JSON, Chinese in escapes", "zhipu", 429,
       filled(R"({"error":{"code":"1302","message":")", R"(\u8bf7\u6c42\u8fc7\u4e8e\u9891\u7e41\uff0c)",
              "\"}}"),
       false},
      {"JSON in JSON", "openrouter", 502,
       filled(
           R"({"error":{"code":502,"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\")",
           kWords, R"(\",\"code\":\"server_error\"}}"}}})"),
       false},
      {"JSON in JSON in JSON", "relay", 502, nested(), false},
      {"error in a 200", "minimax", 200,
       filled(R"({"base_resp":{"status_code":1002,"status_msg":")", kWords, "\"}}"), false},
      {"error in a stream", "anthropic", 200,
       filled(
           "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"",
           kWords, "\"}}\n\n"),
       false},
      {"error in AWS frames", "bedrock", 200,
       aws_exception(R"({"message":")" + repeated(kWords, 890) + "\"}"), false},
      {"page of an edge", "", 502,
       filled("<html><head><title>502 Bad Gateway</title></head><body><p>", kWords, "</p></body></html>"),
       false},
      {"page of tags", "openai", 502,
       filled(kPage, "<span class=\"cf-error-code\">502</span><p>Bad gateway</p><br/>",
              "</h1></body></html>"),
       false},
      {"plain text", "", 500, filled("upstream says: ", kWords, ""), false},
      {"plain text, Chinese", "", 500, filled("", kChinese, ""), false},

      {"nothing but <", "openai", 500, std::string(kBytes, '<')},
      {"nothing but {", "openai", 500, std::string(kBytes, '{')},
      {"nothing but [", "openai", 500, std::string(kBytes, '[')},
      {"nothing but quotes", "openai", 500, std::string(kBytes, '"')},
      {"nothing but backslashes", "openai", 500, filled("\"", "\\\\", "\"")},
      {"nothing but digits", "openai", 500, std::string(kBytes, '7')},
      {"one long word", "openai", 500, std::string(kBytes, 'a')},
      {"one character, Chinese", "openai", 500, filled("", "字", "")},
      {"braces", "openai", 400, filled("", "{} ", "")},
      {"short words", "openai", 429, said("a b c d e f ")},
      {"short numbers", "openai", 429, said("1 2 3 ")},
      {"waits", "openai", 429, said("try again in 1 ")},
      {"waits, Chinese", "zhipu", 429, said("1s1后")},
      {"dates", "openai", 429, said("2026-03-00 ")},
      {"addresses", "openai", 500, filled("", "https://u:p@10.0.0.1:8080/a/b?c=d#e ", "")},
      {"names and values", "openai", 500, filled("", "api_key=abc:def@ghi ", "")},
      {"parts without a blank", "openai", 500, said("x/")},
      {"values without a blank", "openai", 500, said("a=b&")},
      {"like keys", "openai", 500, said("key-")},
      {"escapes", "openai", 400, said(R"(\u8bf7\n\")")},
      {"many members", "openai", 400, filled(R"({"error":{"code":"x")", R"(,"type":"x","abc":1)", "}}")},
      {"many lines of a stream", "openai", 200, filled("", "data: {\"a\":1}\n", "")},
  };
}

// Of a reply as it comes: what an exchange does with it until the failure is known, and a person's text.
constexpr std::string_view kHeaders =
    "date: Mon, 02 Mar 2026 10:00:41 GMT\ncontent-type: application/json\ncontent-length: 1024\n"
    "x-request-id: req_0123456789\nserver: cloudflare\ncf-ray: 0123456789abcdef-FRA\nvary: Origin\n"
    "x-ratelimit-limit-requests: 500\nx-ratelimit-remaining-requests: 499\nx-ratelimit-reset-requests: "
    "120ms\n"
    "strict-transport-security: max-age=31536000; includeSubDomains; preload\nalt-svc: h3=\":443\"; "
    "ma=86400\n";

Verdict judge(const Kind& kind, const classify::RuleBook& book) {
  classify::Evidence evidence;
  evidence.status = kind.status;
  evidence.provider = kind.provider;
  evidence.headers = HeaderBlock(kHeaders);
  evidence.body = kind.body;
  evidence.wall = WallTime{1772445600000};
  return classify::classify(evidence, book);
}

}  // namespace

template <typename Work>
double best_ns(Work work) {
  double best = 1e18;
  for (int round = 0; round < 1500; ++round) best = std::min(best, ns_of(10, work));  // short: between others
  return best;
}

int main(int argc, char** argv) {
  const classify::RuleBook book;
  for (const Kind& kind : kinds()) {
    if (argc == 3) {
      std::size_t sum = 0;
      for (int i = 0; argv[1] == std::string_view(kind.name) && i < std::atoi(argv[2]); ++i)
        sum += judge(kind, book).message.size() + 1;
      if (sum > 0) return 0;
      continue;
    }
    const double ns = best_ns([&](std::size_t) { judge(kind, book); });
    const Verdict verdict = judge(kind, book);
    const double text =
        best_ns([&](std::size_t) { classify::user_message(verdict, classify::medium_of(kind.provider)); });
    std::printf("{\"what\":\"judge\",\"kind\":\"%s\",\"worst\":%s,\"bytes\":%zu,\"ns\":%.0f,\"text\":%.0f}\n",
                kind.name, kind.worst ? "true" : "false", kind.body.size(), ns, text);
  }
}
