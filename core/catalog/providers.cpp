// The preset rows, from the providers' own API references. Order is of no meaning; names and aliases are
// unique.
#include "catalog/providers.h"

#include <array>
#include <cstddef>

#include "base/strings.h"
#include "catalog/envelopes.h"

namespace shunt {
namespace {

// In the order of DialectId.
constexpr std::array<DialectShape, kDialectNames.size()> kShapes = {{
    {.path = "/chat/completions"},
    {.path = "/responses"},
    {.path = "/v1/messages",
     .auth = AuthKind::header,
     .auth_name = "x-api-key",
     .header = "anthropic-version",
     .header_value = "2023-06-01"},
    {.path = "/models/{model}:generateContent",
     .stream_path = "/models/{model}:streamGenerateContent?alt=sse",
     .auth = AuthKind::header,
     .auth_name = "x-goog-api-key"},
    {.path = "/model/{model}/converse",
     .stream_path = "/model/{model}/converse-stream",
     .framing = Framing::aws_eventstream},
    {.path = "/v2/chat"},
    {.path = "/api/chat", .framing = Framing::ndjson},
    {.path = "/services/aigc/text-generation/generation"},
    {.path = "/run/{+model}"},
    {.path = "/api/v1/chat"},
    {.path = "/chat/{model}", .auth = AuthKind::oauth2, .auth_name = "access_token"},
    {.path = "/completions"},
}};

// Bedrock's keys are bearer tokens, and Vertex takes one from whoever has signed in.
// https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
// https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
constexpr Envelope kEnvelopes[] = {
    {Quirk::bedrock_invoke,
     {.path = "/model/{model}/invoke",
      .stream_path = "/model/{model}/invoke-with-response-stream",
      .framing = Framing::aws_eventstream},
     R"("anthropic_version":"bedrock-2023-05-31")",
     true},
    {Quirk::vertex_predict,
     {.path = "/models/{model}:rawPredict", .stream_path = "/models/{model}:streamRawPredict"},
     R"("anthropic_version":"vertex-2023-10-16")",
     false},
};

// A preset as it is written here.
struct Facts {
  DialectId dialect;
  std::string_view name, aliases, base_url;
  Quirks quirks = 0;
  bool keyless = false;
  std::string_view key_header{};
};

constexpr Quirks set_of(Quirk a, Quirk b = Quirk::none) {
  return static_cast<Quirks>(a) | static_cast<Quirks>(b);
}

constexpr Facts row(DialectId dialect, std::string_view name, std::string_view aliases,
                    std::string_view base_url) {
  return {dialect, name, aliases, base_url};
}

constexpr Facts chat(std::string_view name, std::string_view aliases, std::string_view base_url,
                     Quirks quirks = 0) {
  return {DialectId::openai_chat, name, aliases, base_url, quirks};
}

// A server of one's own: no key needed.
constexpr Facts local(std::string_view name, std::string_view aliases, std::string_view base_url,
                      Quirks quirks = 0) {
  return {DialectId::openai_chat, name, aliases, base_url, quirks, true};
}

// The same for a dialect of its own.
constexpr Facts local_row(DialectId dialect, std::string_view name, std::string_view base_url) {
  return {dialect, name, {}, base_url, 0, true};
}

constexpr Facts with_key_header(Facts facts, std::string_view header) {
  facts.key_header = header;
  return facts;
}

constexpr auto kFacts = std::to_array<Facts>({
    // The makers of the dialects.
    chat("openai", "openai-chat", "https://api.openai.com/v1", set_of(Quirk::max_completion_tokens)),
    row(DialectId::openai_responses, "openai-responses", "openai-codex", "https://api.openai.com/v1"),
    row(DialectId::openai_completions, "openai-completions", "", "https://api.openai.com/v1"),
    row(DialectId::anthropic_messages, "anthropic", "claude", "https://api.anthropic.com"),
    row(DialectId::gemini_generate, "gemini", "google gemini-code-assist google-edge google-ai-studio",
        "https://generativelanguage.googleapis.com/v1beta"),
    chat("gemini-openai", "google-openai", "https://generativelanguage.googleapis.com/v1beta/openai",
         set_of(Quirk::no_done)),

    // Clouds. Their addresses hold the customer's own resource: configuration gives base_url.
    with_key_header(
        chat("azure", "azure-openai azure_openai", "https://{resource}.openai.azure.com/openai/v1",
             set_of(Quirk::max_completion_tokens)),
        "api-key"),
    row(DialectId::anthropic_messages, "azure-anthropic", "azure-foundry-anthropic",
        "https://{resource}.services.ai.azure.com/anthropic"),
    row(DialectId::bedrock_converse, "bedrock", "aws-bedrock aws-edge amazon-bedrock",
        "https://bedrock-runtime.{region}.amazonaws.com"),
    {DialectId::anthropic_messages, "bedrock-anthropic", "bedrock-invoke",
     "https://bedrock-runtime.{region}.amazonaws.com", set_of(Quirk::bedrock_invoke)},
    chat("bedrock-openai", "bedrock-mantle", "https://bedrock-runtime.{region}.amazonaws.com/openai/v1"),
    chat("vertex-openai", "vertex vertex-ai",
         "https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}/endpoints/"
         "openapi",
         set_of(Quirk::no_done)),
    {DialectId::anthropic_messages, "vertex-anthropic", "vertex-claude",
     "https://{location}-aiplatform.googleapis.com/v1/projects/{project}/locations/{location}/publishers/"
     "anthropic",
     set_of(Quirk::vertex_predict)},
    chat("workers_ai", "workers-ai cloudflare cloudflare-workers-ai cloudflare-edge",
         "https://api.cloudflare.com/client/v4/accounts/{account}/ai/v1"),
    row(DialectId::workers_ai_native, "workers-ai-native", "",
        "https://api.cloudflare.com/client/v4/accounts/{account}/ai"),
    chat("databricks", "", "https://{workspace}/serving-endpoints"),
    chat("snowflake", "snowflake-cortex", "https://{account}.snowflakecomputing.com/api/v2/cortex/v1"),

    // Model makers and inference services.
    chat("deepseek", "", "https://api.deepseek.com"),
    row(DialectId::anthropic_messages, "deepseek-anthropic", "", "https://api.deepseek.com/anthropic"),
    chat("groq", "", "https://api.groq.com/openai/v1"),
    chat("xai", "grok x.ai xai-via-compat", "https://api.x.ai/v1",
         set_of(Quirk::completion_excludes_reasoning)),
    chat("openrouter", "", "https://openrouter.ai/api/v1"),
    chat("together", "together-ai togetherai", "https://api.together.xyz/v1"),
    chat("fireworks", "fireworks-ai", "https://api.fireworks.ai/inference/v1"),
    chat("mistral", "mistralai", "https://api.mistral.ai/v1", set_of(Quirk::no_stream_options)),
    chat("perplexity", "", "https://api.perplexity.ai", set_of(Quirk::no_stream_options, Quirk::no_done)),
    chat("cerebras", "", "https://api.cerebras.ai/v1", set_of(Quirk::no_done)),
    row(DialectId::cohere_chat, "cohere", "", "https://api.cohere.com"),
    chat("cohere-openai", "", "https://api.cohere.ai/compatibility/v1"),
    chat("huggingface", "hf hugging-face", "https://router.huggingface.co/v1", set_of(Quirk::no_done)),
    chat("ai21", "", "https://api.ai21.com/studio/v1"),
    chat("sambanova", "", "https://api.sambanova.ai/v1"),
    chat("nvidia-nim", "nvidia", "https://integrate.api.nvidia.com/v1"),
    chat("baseten", "", "https://inference.baseten.co/v1"),
    chat("deepinfra", "", "https://api.deepinfra.com/v1/openai"),
    chat("novita", "", "https://api.novita.ai/v3/openai"),
    chat("venice", "", "https://api.venice.ai/api/v1"),
    chat("doubleword", "", "https://api.doubleword.ai/v1"),
    chat("crusoe", "", "https://api.inference.crusoecloud.com/v1"),
    chat("avian", "", "https://api.avian.io/v1"),
    chat("wandb-inference", "wandb", "https://api.inference.wandb.ai/v1"),
    chat("gmicloud", "", "https://api.gmi-serving.com/v1"),
    chat("github-models", "", "https://models.github.ai/inference"),
    chat("vercel-gateway", "vercel", "https://ai-gateway.vercel.sh/v1"),
    chat("heroku", "", "https://us.inference.heroku.com/v1"),
    chat("zenmux", "", "https://zenmux.ai/api/v1"),
    chat("aihubmix", "", "https://aihubmix.com/v1"),
    chat("ollama-cloud", "", "https://ollama.com/v1"),
    row(DialectId::ollama_chat, "ollama-cloud-native", "", "https://ollama.com"),

    // Chinese platforms.
    chat("zhipu", "bigmodel glm chatglm", "https://open.bigmodel.cn/api/paas/v4"),
    chat("zai", "z.ai z-ai", "https://api.z.ai/api/paas/v4"),
    row(DialectId::anthropic_messages, "zai-anthropic", "", "https://api.z.ai/api/anthropic"),
    chat("moonshot", "moonshotai kimi", "https://api.moonshot.cn/v1"),
    chat("moonshot-intl", "kimi-intl", "https://api.moonshot.ai/v1"),
    row(DialectId::anthropic_messages, "moonshot-anthropic", "", "https://api.moonshot.cn/anthropic"),
    chat("dashscope", "qwen bailian dashscope-bailian1", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
    chat("dashscope-intl", "alibaba", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1"),
    row(DialectId::dashscope_native, "dashscope-native", "", "https://dashscope.aliyuncs.com/api/v1"),
    row(DialectId::dashscope_native, "dashscope-native-intl", "",
        "https://dashscope-intl.aliyuncs.com/api/v1"),
    chat("volcengine", "volcengine-ark ark doubao", "https://ark.cn-beijing.volces.com/api/v3"),
    chat("qianfan", "baidu-qianfan baidu ernie", "https://qianfan.baidubce.com/v2"),
    row(DialectId::ernie_native, "ernie-native", "baidu-ernie-v1",
        "https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop"),
    chat("hunyuan", "tencent-hunyuan tencent", "https://api.hunyuan.cloud.tencent.com/v1"),
    chat("spark", "iflytek-spark iflytek xunfei", "https://spark-api-open.xf-yun.com/v1"),
    chat("minimax", "", "https://api.minimax.io/v1"),
    chat("minimax-cn", "", "https://api.minimaxi.com/v1"),
    chat("siliconflow", "silicon-flow", "https://api.siliconflow.cn/v1"),
    chat("stepfun", "step", "https://api.stepfun.com/v1"),
    chat("baichuan", "", "https://api.baichuan-ai.com/v1"),
    chat("01-ai", "lingyiwanwu yi", "https://api.lingyiwanwu.com/v1"),
    chat("huawei-maas", "modelarts", "https://api.modelarts-maas.com/v1"),
    chat("iflow", "", "https://apis.iflow.cn/v1"),

    // Servers of one's own, at the address each listens on by default.
    local("ollama", "", "http://127.0.0.1:11434/v1"),
    local_row(DialectId::ollama_chat, "ollama-native", "http://127.0.0.1:11434"),
    local("shunt", "", "http://127.0.0.1:8787/v1", set_of(Quirk::gateway)),
    local("vllm", "", "http://127.0.0.1:8000/v1"),
    local("llamacpp", "llama-cpp llama.cpp", "http://127.0.0.1:8080/v1"),
    local("lmstudio", "lm-studio", "http://127.0.0.1:1234/v1"),
    local_row(DialectId::lmstudio_native, "lmstudio-native", "http://127.0.0.1:1234"),
    local("tgi", "text-generation-inference", "http://127.0.0.1:3000/v1"),
    local("mistralrs", "", "http://127.0.0.1:1234/v1"),
    local("gpustack", "", "http://127.0.0.1/v1", set_of(Quirk::no_done)),
    local("litellm-proxy", "litellm", "http://127.0.0.1:4000/v1"),
    local("one-api", "new-api", "http://127.0.0.1:3000/v1"),
});

// The facts as the module holds them: small rows, and the texts of all in one string. Rows of string_views
// are five times as large, and half of that is addresses, which do not compress.
constexpr std::size_t texts_size() {
  std::size_t size = 0;
  for (const Facts& facts : kFacts) {
    for (const std::string_view text : {facts.name, facts.aliases, facts.base_url, facts.key_header})
      size += text.size() + 1;
  }
  return size;
}

struct Packed {
  std::array<Preset, kFacts.size()> rows;
  std::array<char, texts_size()> texts;  // each ended by NUL
};
constexpr Packed packed() {
  Packed out{};
  std::uint16_t end = 0;
  const auto append = [&](std::string_view text) {
    const PresetText place{end};
    for (const char c : text) out.texts[end++] = c;
    out.texts[end++] = '\0';
    return place;
  };
  for (std::size_t i = 0; i < kFacts.size(); ++i) {
    const Facts& facts = kFacts[i];
    const PresetText name = append(facts.name);
    append(facts.aliases);
    const PresetText base_url = append(facts.base_url);
    append(facts.key_header);
    out.rows[i] = {facts.dialect, static_cast<std::uint8_t>(facts.quirks), facts.keyless, name, base_url};
  }
  return out;
}
static_assert(texts_size() < 65536);
constexpr Packed kPacked = packed();

}  // namespace

const Envelope* envelope_of(Quirks quirks) {
  for (const Envelope& row : kEnvelopes) {
    if (has(quirks, row.quirk)) return &row;
  }
  return nullptr;
}

const DialectShape& shape_of(DialectId id, Quirks quirks) {
  const Envelope* const envelope = envelope_of(quirks);
  return envelope != nullptr ? envelope->shape : kShapes[static_cast<std::size_t>(id)];
}

PresetText::operator std::string_view() const {
  std::string_view rest(kPacked.texts.data(), kPacked.texts.size());
  rest.remove_prefix(at);
  return cut(rest, '\0');
}

PresetText PresetText::next() const {
  return {static_cast<std::uint16_t>(at + std::string_view(*this).size() + 1)};
}

std::span<const Preset> presets() { return kPacked.rows; }

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : kPacked.rows) {
    if (equal_fold(preset.name, name)) return &preset;
    std::string_view aliases = preset.aliases();
    while (!aliases.empty()) {
      if (equal_fold(cut(aliases, ' '), name)) return &preset;
    }
  }
  return nullptr;
}

}  // namespace shunt
