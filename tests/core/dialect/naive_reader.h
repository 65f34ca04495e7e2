// A second, slow reading of provider streams with a DOM and maps, written from the providers' documents: what
// the decoders are compared with. Shares no code with them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace shunt::dialect::test {

struct NaiveCall {
  std::string id, name, arguments;
};

struct NaiveChoice {
  std::string text, reasoning, refusal, finish;
  std::vector<NaiveCall> calls;
  std::vector<long long> indexes;  // of calls, -1 = none
  bool delta_text = false, delta_reasoning = false, delta_calls = false;
};

struct NaiveAnswer {
  std::vector<NaiveChoice> choices;
  std::vector<nlohmann::json> usages;
  std::size_t errors = 0;
};

NaiveAnswer read_openai_stream(std::string_view bytes);
NaiveAnswer read_anthropic_stream(std::string_view bytes);
NaiveAnswer read_openai_body(std::string_view body);
NaiveAnswer read_anthropic_body(std::string_view body);
NaiveAnswer read_responses_stream(std::string_view bytes);
NaiveAnswer read_responses_body(std::string_view body);
NaiveAnswer read_gemini_stream(std::string_view bytes);
NaiveAnswer read_gemini_body(std::string_view body);  // one response, or an array of them

}  // namespace shunt::dialect::test
