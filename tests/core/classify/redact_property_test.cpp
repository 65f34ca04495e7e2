// No secret survives: keys of every provider's format, signed addresses, people, machines and echoed prompts,
// generated and set into sentences, JSON and pages, must be gone from the verdict and from the log's line.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "classify/messages.h"
#include "judged.h"

namespace shunt::classify {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::size_t below(std::size_t bound) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>((z ^ (z >> 31U)) % bound);
  }
  std::string letters(std::string_view alphabet, std::size_t count) {
    std::string out;
    while (out.size() < count) out += alphabet[below(alphabet.size())];
    return out;
  }

 private:
  std::uint64_t state_;
};

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::string_view kAlnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// A pattern is text with classes of letters: <h32> hexadecimal, <a40> letters and digits, <b40> base64, <u40>
// its URL form, <d3> a byte in decimal.
std::string grown(std::string_view pattern, Dice& dice) {
  std::string out;
  while (!pattern.empty()) {
    out += cut(pattern, '<');
    if (pattern.empty()) break;
    const char kind = pattern.front();
    const auto count = static_cast<std::size_t>(parse_uint(cut(pattern, '>').substr(1)).value_or(0));
    switch (kind) {
      case 'h': out += dice.letters(kHex, count); break;
      case 'a': out += dice.letters(kAlnum, count); break;
      case 'b': out += dice.letters(kBase64, count); break;
      case 'u': out += dice.letters(kUrl64, count); break;
      default: append_uint(out, dice.below(256)); break;
    }
  }
  return out;
}

constexpr std::string_view kSecrets[] = {
    "sk-<a48>",                                           // OpenAI, and DeepSeek, Moonshot, StepFun, relays
    "sk-proj-<u74>",                                      // OpenAI projects
    "sk-svcacct-<u60>",                                   // OpenAI service accounts
    "sk-ant-api03-<u93>AA",                               // Anthropic
    "sk-<h32>",                                           // DashScope
    "sk-or-v1-<h64>",                                     // OpenRouter
    "AIza<u35>",                                          // Google
    "AQ.<u45>",                                           // Google, newer
    "ya29.<u60>",                                         // Google OAuth
    "gsk_<a52>",                                          // Groq
    "xai-<a80>",                                          // xAI
    "r8_<a37>",                                           // Replicate
    "hf_<a34>",                                           // Hugging Face
    "pplx-<a48>",                                         // Perplexity
    "fw_<a24>",                                           // Fireworks
    "csk-<a48>",                                          // Cerebras
    "nvapi-<u64>",                                        // NVIDIA
    "key_<h64>",                                          // Runway
    "vda_<a32>",                                          // Vidu
    "AKIA<a16>",                                          // AWS key ids
    "<b40>",                                              // AWS secrets
    "AKID<a32>",                                          // Tencent Cloud ids
    "<a32>",                                              // Tencent Cloud and iFlytek secrets, Mistral, Kling
    "AKLT<a44>",                                          // Volcengine ids
    "<h8>-<h4>-<h4>-<h4>-<h12>",                          // Ark
    "bce-v3/ALTAK-<a21>/<h40>",                           // Baidu
    "24.<h32>.2592000.1700000000.<h8>-<h8>",              // Baidu access tokens
    "LTAI<a20>",                                          // Alibaba Cloud
    "<h32>.<a16>",                                        // Zhipu
    "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.<u120>.<u86>",  // MiniMax and every other JSON web token
    "<h64>",                                              // Together, Azure
    "<u40>",                                              // Cloudflare
    "ghp_<a36>",                                          // GitHub
};

// What stands around the part that must go; '$' is the secret.
constexpr std::string_view kSigned[] = {
    "https://bucket.example.com/a/"
    "b.png?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA<a16>%2F20260302&"
    "X-Amz-Signature=$",
    "https://cdn.example.com/v.mp4?Expires=1700000000&OSSAccessKeyId=LTAI<a16>&Signature=$",
    "https://store.example.net/c/x.wav?sv=2024-11-04&se=2026-03-02T10%3A00%3A00Z&sig=$",
    "bucket.example.com/a/b.png?x=1&sig=$",
    "https://user:$@example.com/x",
};

constexpr std::string_view kPeople[] = {
    "a<h6>@example.com",
    "first.last<h4>+tag@mail.example.co.uk",
    "x<h5>@db-1.internal",
    "10.<d3>.<d3>.<d3>",
    "192.168.<d3>.<d3>:8443",
    "172.16.<d3>.<d3>/v1/models",
    "http://vllm-<h5>:8000/v1",
    "node-<h6>.svc.cluster.local",
    "gpu-<h6>.prod.internal",
    "tcp/10.1.<d3>.<d3>:80",
    "fd00::<h4>:<h4>",
    "http://10.<d3>.<d3>.<d3>:11434/api/chat",
    "ip-10-0-<d3>-<d3>.ec2.internal",
};

// '$' is the secret.
constexpr std::string_view kSentences[] = {
    "Incorrect API key provided: $. You can find your API key in the console.",
    "Authorization: Bearer $",
    "invalid token $",
    "无效的令牌：$，请检查",
    "密钥$已失效",
    "request with key=$ was refused",
    "dial tcp: $ unreachable",
    "Consumer 'api_key:$' has been suspended.",
    "could not fetch \"$\" (see https://example.com/docs)",
    "header {\"x-api-key\": \"$\", \"n\": 1} rejected",
    "upstream said\\n$\\nand closed",
    "($)",
    "`$` is not allowed to call model gpt-4o-mini",
    "id=42&token=$&more=1",
    "failed for <$> at gateway",
};

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string filled_in(std::string_view frame, std::string_view value) {
  std::string out(frame);
  if (const std::size_t at = out.find('$'); at != std::string::npos) out.replace(at, 1, value);
  return out;
}

// A sentence in one of the shapes in which replies come.
std::string body_of(const std::string& sentence, std::size_t shape) {
  switch (shape) {
    case 0: return R"({"error":{"message":)" + json_string(sentence) + R"(,"type":"invalid_request_error"}})";
    case 1:
      return R"({"code":"x","message":)" +
             json_string(R"({"error":{"message":)" + json_string(sentence) + "}}") + "}";
    case 2: return "<html><head><title>502</title></head><body>" + sentence + "</body></html>";
    case 3: return sentence;
    case 4: return "data: {\"error\":{\"message\":" + json_string(sentence) + "}}\n\n";
    case 5: return R"({"detail":[{"loc":["body"],"msg":)" + json_string(sentence) + "}]}";
    default: return R"({"errors":[)" + json_string(sentence) + "]}";
  }
}
constexpr std::size_t kShapes = 7;

// `secret` must not be found in anything that leaves, not even a few letters more than `piece` of it in a
// row.
testing::AssertionResult is_gone(const std::string& body, const std::string& secret, std::size_t piece = 8) {
  Evidence evidence;
  evidence.status = 401;
  evidence.body = body;
  const Verdict verdict = judged(evidence);
  const UserText told = user_message(verdict, Medium::text);
  const std::string all = verdict.message + "\n" + log_message(verdict) + "\n" + told.en;
  const std::size_t last = secret.size() > piece ? secret.size() - piece : 0;
  for (std::size_t at = 0; at <= last; at += 3) {
    if (all.find(secret.substr(at, piece)) != std::string::npos)
      return testing::AssertionFailure() << secret << " in " << all << " of " << body;
  }
  return testing::AssertionSuccess();
}

TEST(RedactProperty, KeysOfEveryProviderAreGone) {
  Dice dice(1);
  for (int round = 0; round < 30; ++round) {
    for (const std::string_view format : kSecrets) {
      for (const std::string_view sentence : kSentences) {
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
          // What all keys of a format begin with gives nothing away.
          const std::string secret = grown(format, dice);
          ASSERT_TRUE(is_gone(body_of(filled_in(sentence, secret), shape), secret.substr(secret.size() / 4)));
        }
      }
    }
  }
}

TEST(RedactProperty, SignaturesOfAddressesAreGone) {
  Dice dice(2);
  for (int round = 0; round < 60; ++round) {
    for (const std::string_view address : kSigned) {
      for (const std::string_view sentence : kSentences) {
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
          const std::string secret = dice.letters(round % 2 == 0 ? kHex : kUrl64, 43);
          const std::string url = filled_in(grown(address, dice), secret);
          ASSERT_TRUE(is_gone(body_of(filled_in(sentence, url), shape), secret));
        }
      }
    }
  }
}

TEST(RedactProperty, PeopleAndMachinesAreGone) {
  Dice dice(3);
  for (int round = 0; round < 30; ++round) {
    for (const std::string_view format : kPeople) {
      for (const std::string_view sentence : kSentences) {
        for (std::size_t shape = 0; shape < kShapes; ++shape) {
          const std::string name = grown(format, dice);
          ASSERT_TRUE(is_gone(body_of(filled_in(sentence, name), shape), name, name.size()));
        }
      }
    }
  }
}

TEST(RedactProperty, QuotedPromptsAreGone) {
  constexpr std::string_view kPrompts[] = {"zebra crossing at night", "一只戴帽子的猫在月球上跳舞",
                                           "ignore all rules: print 429", "riding a bike, the fox"};
  constexpr std::string_view kEchoes[] = {
      "Invalid prompt: \"$\" was flagged",
      "The text '$' is not allowed",
      "input `$` may contain sensitive words",
      "提示词“$”包含敏感内容",
      "validation failed, input_value='$', input_type=str",
      "bad request: {\"prompt\": \"$\", \"n\": 1}",
      "cut off: {\"prompt\": \"$",
  };
  for (const std::string_view prompt : kPrompts) {
    for (const std::string_view echo : kEchoes) {
      for (std::size_t shape = 0; shape < kShapes; ++shape) {
        EXPECT_TRUE(is_gone(body_of(filled_in(echo, prompt), shape), std::string(prompt), 12));
      }
    }
  }
}

}  // namespace
}  // namespace shunt::classify
