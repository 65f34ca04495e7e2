// What becomes of each documented field of a request in each dialect a line may speak: it says something
// there, or is listed as dropped, or the request is refused. Nothing vanishes without a word.
//
// A request with the field is compared with the same request without it: equal bodies and no new entry in
// the list mean that the field was lost.
#include <map>
#include <set>

#include "target_testing.h"

namespace shunt::dialect::testing {
namespace {

struct Field {
  const char* at;     // JSON pointer
  const char* value;  // what stands there
};

// A request that has something for each field to stand beside.
constexpr const char* kChat =
    R"({"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text",)"
    R"("text":"q"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},{"role":"assistant",)"
    R"("content":"a","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},)"
    R"({"role":"tool","tool_call_id":"c1","content":"r"},{"role":"user","content":"go"}],)"
    R"("tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]})";
// OpenAI, "Create chat completion".
constexpr Field kChatFields[] = {
    {"/temperature", "0.5"},
    {"/top_p", "0.9"},
    {"/max_tokens", "77"},
    {"/max_completion_tokens", "78"},
    {"/n", "2"},
    {"/stop", R"(["END"])"},
    {"/seed", "7"},
    {"/presence_penalty", "0.25"},
    {"/frequency_penalty", "0.75"},
    {"/logit_bias", R"({"50256":-100})"},
    {"/logprobs", "true"},
    {"/user", "\"u1\""},
    {"/safety_identifier", "\"s1\""},
    {"/prompt_cache_key", "\"k1\""},
    {"/prompt_cache_retention", "\"24h\""},
    {"/service_tier", "\"flex\""},
    {"/store", "true"},
    {"/metadata", R"({"a":"b"})"},
    {"/modalities", R"(["text","audio"])"},
    {"/audio", R"({"voice":"alloy","format":"wav"})"},
    {"/prediction", R"({"type":"content","content":"p"})"},
    {"/reasoning_effort", "\"low\""},
    {"/verbosity", "\"low\""},
    {"/web_search_options", "{}"},
    {"/parallel_tool_calls", "false"},
    {"/tool_choice", "\"required\""},
    {"/response_format", R"({"type":"json_object"})"},
    {"/functions", R"([{"name":"g"}])"},
    {"/function_call", "\"auto\""},
    {"/messages/0/name", "\"sys\""},
    {"/messages/1/name", "\"ann\""},
    {"/messages/2/name", "\"bot\""},
    {"/messages/2/refusal", "\"no\""},
    {"/messages/2/audio", R"({"id":"aud1"})"},
    {"/messages/2/reasoning_content", "\"because\""},
    {"/messages/1/content/1/image_url/detail", "\"high\""},
    {"/messages/1/content/2", R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})"},
    {"/messages/1/content/2", R"({"type":"file","file":{"file_id":"f1"}})"},
    {"/messages/1/content/2",
     R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}})"},
    {"/tools/0/function/description", "\"d\""},
    {"/tools/0/function/strict", "true"},
    {"/tools/1", R"({"type":"custom","custom":{"name":"c"}})"},
};

constexpr const char* kResponses =
    R"({"model":"m","instructions":"s","input":[{"role":"user","content":[{"type":"input_text","text":"q"},)"
    R"({"type":"input_image","image_url":"data:image/png;base64,AAAA"}]},{"type":"function_call","call_id":"c1",)"
    R"("name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"r"},)"
    R"({"role":"user","content":"go"}],"tools":[{"type":"function","name":"f",)"
    R"("parameters":{"type":"object","properties":{}}}]})";
// OpenAI, "Create a model response".
constexpr Field kResponsesFields[] = {
    {"/background", "true"},
    {"/conversation", "\"conv_1\""},
    {"/include", R"(["reasoning.encrypted_content"])"},
    {"/max_output_tokens", "77"},
    {"/max_tool_calls", "3"},
    {"/metadata", R"({"a":"b"})"},
    {"/parallel_tool_calls", "false"},
    {"/previous_response_id", "\"resp_1\""},
    {"/prompt", R"({"id":"p1"})"},
    {"/prompt_cache_key", "\"k1\""},
    {"/reasoning", R"({"effort":"low"})"},
    {"/safety_identifier", "\"s1\""},
    {"/service_tier", "\"flex\""},
    {"/store", "true"},
    {"/temperature", "0.5"},
    {"/text", R"({"format":{"type":"json_object"}})"},
    {"/text", R"({"verbosity":"low"})"},
    {"/tool_choice", "\"required\""},
    {"/top_logprobs", "2"},
    {"/top_p", "0.9"},
    {"/truncation", "\"auto\""},
    {"/user", "\"u1\""},
    {"/input/0/content/1/detail", "\"high\""},
    {"/input/0/content/2", R"({"type":"input_file","file_id":"f1"})"},
    {"/input/0/content/2",
     R"({"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"})"},
    {"/input/4", R"({"type":"reasoning","id":"r1","summary":[{"type":"summary_text","text":"t"}]})"},
    {"/input/4", R"({"type":"item_reference","id":"i1"})"},
    {"/tools/0/description", "\"d\""},
    {"/tools/0/strict", "true"},
    {"/tools/1", R"({"type":"web_search"})"},
    {"/tools/1", R"({"type":"custom","name":"c"})"},
};

constexpr const char* kAnthropic =
    R"({"model":"m","max_tokens":100,"system":[{"type":"text","text":"s"}],"messages":[{"role":"user",)"
    R"("content":[{"type":"text","text":"q"},{"type":"image","source":{"type":"base64",)"
    R"("media_type":"image/png","data":"AAAA"}}]},{"role":"assistant","content":[{"type":"text","text":"a"},)"
    R"({"type":"tool_use","id":"c1","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result",)"
    R"("tool_use_id":"c1","content":"r"},{"type":"text","text":"go"}]}],)"
    R"("tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}]})";
// Anthropic, "Create a Message".
constexpr Field kAnthropicFields[] = {
    {"/temperature", "0.5"},
    {"/top_p", "0.9"},
    {"/top_k", "5"},
    {"/stop_sequences", R"(["END"])"},
    {"/metadata", R"({"user_id":"u1"})"},
    {"/service_tier", "\"auto\""},
    {"/container", "\"c1\""},
    {"/context_management", R"({"edits":[]})"},
    {"/mcp_servers", R"([{"type":"url","url":"https://m.example","name":"n"}])"},
    {"/thinking", R"({"type":"enabled","budget_tokens":1024})"},
    {"/tool_choice", R"({"type":"any"})"},
    {"/tool_choice", R"({"type":"auto","disable_parallel_tool_use":true})"},
    {"/output_config", R"({"effort":"low"})"},
    {"/output_format", R"({"type":"json_schema","schema":{"type":"object","properties":{}}})"},
    {"/system/0/cache_control", R"({"type":"ephemeral"})"},
    {"/messages/0/content/0/cache_control", R"({"type":"ephemeral"})"},
    {"/messages/0/content/2",
     R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}})"},
    {"/messages/0/content/2", R"({"type":"document","source":{"type":"file","file_id":"f1"}})"},
    {"/messages/0/content/2",
     R"({"type":"search_result","source":"x","title":"t","content":[{"type":"text","text":"z"}]})"},
    {"/messages/1/content/2", R"({"type":"thinking","thinking":"t","signature":"s"})"},
    {"/messages/1/content/2", R"({"type":"redacted_thinking","data":"d"})"},
    {"/messages/2/content/0/is_error", "true"},
    {"/tools/0/description", "\"d\""},
    {"/tools/0/strict", "true"},
    {"/tools/0/cache_control", R"({"type":"ephemeral"})"},
    {"/tools/1", R"({"type":"web_search_20250305","name":"web_search"})"},
};

constexpr const char* kGemini =
    R"({"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"q"},)"
    R"({"inlineData":{"mimeType":"image/png","data":"AAAA"}}]},{"role":"model","parts":[{"text":"a"},)"
    R"({"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f",)"
    R"("response":{"output":"r"}}},{"text":"go"}]}],"generationConfig":{},)"
    R"("tools":[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT"}}]}]})";
// Gemini API, "GenerateContentRequest" and "GenerationConfig".
constexpr Field kGeminiFields[] = {
    {"/safetySettings", R"([{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}])"},
    {"/cachedContent", "\"cachedContents/1\""},
    {"/toolConfig", R"({"functionCallingConfig":{"mode":"ANY"}})"},
    {"/generationConfig/stopSequences", R"(["END"])"},
    {"/generationConfig/responseMimeType", "\"application/json\""},
    {"/generationConfig/responseModalities", R"(["IMAGE"])"},
    {"/generationConfig/candidateCount", "2"},
    {"/generationConfig/maxOutputTokens", "77"},
    {"/generationConfig/temperature", "0.5"},
    {"/generationConfig/topP", "0.9"},
    {"/generationConfig/topK", "5"},
    {"/generationConfig/seed", "7"},
    {"/generationConfig/presencePenalty", "0.25"},
    {"/generationConfig/frequencyPenalty", "0.75"},
    {"/generationConfig/responseLogprobs", "true"},
    {"/generationConfig/enableEnhancedCivicAnswers", "true"},
    {"/generationConfig/speechConfig", R"({"languageCode":"de"})"},
    {"/generationConfig/thinkingConfig", R"({"thinkingBudget":1024})"},
    {"/generationConfig/imageConfig", R"({"aspectRatio":"1:1"})"},
    {"/generationConfig/mediaResolution", "\"MEDIA_RESOLUTION_LOW\""},
    {"/contents/0/parts/2", R"({"fileData":{"mimeType":"video/mp4","fileUri":"https://x.example/v"}})"},
    {"/contents/0/parts/2", R"({"inlineData":{"mimeType":"application/pdf","data":"AAAA"}})"},
    {"/contents/1/parts/2", R"({"text":"t","thought":true})"},
    {"/contents/1/parts/2", R"({"executableCode":{"language":"PYTHON","code":"1"}})"},
    {"/contents/1/parts/1/thoughtSignature", "\"sig\""},
    {"/contents/2/parts/0/functionResponse/willContinue", "true"},
    {"/tools/0/functionDeclarations/0/description", "\"d\""},
    {"/tools/0/functionDeclarations/0/behavior", "\"NON_BLOCKING\""},
    {"/tools/1", R"({"googleSearch":{}})"},
};

struct Documented {
  DialectId dialect;
  const char* request;
  const char* texts;  // for targets without images or tools
  std::span<const Field> fields;
};
constexpr Documented kDocumented[] = {
    {DialectId::openai_chat, kChat, R"({"model":"m","messages":[{"role":"user","content":"q"}]})",
     kChatFields},
    {DialectId::openai_responses, kResponses, R"({"model":"m","input":"q"})", kResponsesFields},
    {DialectId::anthropic_messages, kAnthropic,
     R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":"q"}]})", kAnthropicFields},
    {DialectId::gemini_generate, kGemini, R"({"contents":[{"parts":[{"text":"q"}]}],"generationConfig":{}})",
     kGeminiFields},
};

// A request without tools has no say in how they are called.
bool has_place(const Json& request, const Json::json_pointer& at) {
  const std::string top = at.to_string();
  if ((top.starts_with("/tool") || top.starts_with("/parallel")) && !request.contains("tools")) return false;
  if (!request.contains(at.parent_pointer())) return false;
  const Json& parent = request[at.parent_pointer()];
  return parent.is_object() || (parent.is_array() && std::stoul(at.back()) <= parent.size());
}

TEST(FieldFates, EveryDocumentedFieldIsSaidListedOrRefused) {
  for (const Documented& from : kDocumented) {
    for (std::size_t to = 0; to < kDialectNames.size(); ++to) {
      const auto target = static_cast<DialectId>(to);
      if (target == from.dialect || find(target) == nullptr || find(target)->write_request == nullptr)
        continue;
      Json plain = Json::parse(from.request);
      if (!translate_to(target, from.dialect, from.request).ok) plain = Json::parse(from.texts);
      const Translated without = translate_to(target, from.dialect, plain.dump());
      ASSERT_TRUE(without.ok) << name_of(target) << ": " << without.problem.where << without.problem.what;
      for (const Field& field : from.fields) {
        Json request = plain;
        if (!has_place(request, Json::json_pointer(field.at))) continue;
        request[Json::json_pointer(field.at)] = Json::parse(field.value);
        const Translated with = translate_to(target, from.dialect, request.dump());
        if (!with.ok) continue;
        EXPECT_TRUE(with.body != without.body || with.dropped != without.dropped)
            << name_of(from.dialect) << " to " << name_of(target) << ": " << field.at << " " << field.value;
      }
    }
  }
}

}  // namespace
}  // namespace shunt::dialect::testing
