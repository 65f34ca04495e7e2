// The dialects that are built, one row each.
#include "dialect/anthropic_decode.h"
#include "dialect/anthropic_encode.h"
#include "dialect/anthropic_request.h"
#include "dialect/bedrock_body.h"
#include "dialect/chat_like_body.h"
#include "dialect/client_error.h"
#include "dialect/dialect.h"
#include "dialect/gemini_decode.h"
#include "dialect/gemini_encode.h"
#include "dialect/gemini_request.h"
#include "dialect/openai_chat_decode.h"
#include "dialect/openai_chat_encode.h"
#include "dialect/openai_chat_request.h"
#include "dialect/openai_responses_decode.h"
#include "dialect/openai_responses_encode.h"
#include "dialect/openai_responses_request.h"
#include "dialect/prompt_body.h"
#include "dialect/table_decode.h"

namespace shunt::dialect {
namespace {

// A dialect of providers only, described by a table: no client speaks it.
template <const Field* Table>
constexpr Dialect table(DialectId id, decltype(Dialect::write_request) write) {
  return {id, table_decoder<Table>, nullptr, table_answer<Table>, nullptr, nullptr, nullptr, write, {}};
}

// Google's SDKs take a comment for broken JSON; empty lines they skip.
constexpr Dialect kDialects[] = {
    {DialectId::openai_chat, make_openai_chat_decoder, make_openai_chat_encoder, decode_openai_chat_answer,
     encode_openai_chat_answer, write_openai_error, read_openai_chat, write_openai_chat, "data: [DONE]\n\n"},
    {DialectId::openai_responses,
     make_openai_responses_decoder,
     make_openai_responses_encoder,
     decode_openai_responses_answer,
     encode_openai_responses_answer,
     write_openai_error,
     read_openai_responses,
     write_openai_responses,
     {}},
    {DialectId::anthropic_messages, make_anthropic_decoder, make_anthropic_encoder, decode_anthropic_answer,
     encode_anthropic_answer, write_anthropic_error, read_anthropic, write_anthropic,
     "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"},
    {DialectId::gemini_generate, make_gemini_decoder, make_gemini_encoder, decode_gemini_answer,
     encode_gemini_answer, write_gemini_error, read_gemini, write_gemini, "", "\r\n\r\n"},
    table<kBedrockTable>(DialectId::bedrock_converse, write_bedrock),
    table<kCohereTable>(DialectId::cohere_chat, write_cohere),
    table<kOllamaTable>(DialectId::ollama_chat, write_ollama),
    table<kDashscopeTable>(DialectId::dashscope_native, write_dashscope),
    table<kWorkersAiTable>(DialectId::workers_ai_native, write_workers_ai),
    table<kLmStudioTable>(DialectId::lmstudio_native, write_lmstudio),
    table<kErnieTable>(DialectId::ernie_native, write_ernie),
    table<kCompletionsTable>(DialectId::openai_completions, write_completions),
};

}  // namespace

const Dialect* find(DialectId id) {
  for (const Dialect& dialect : kDialects) {
    if (dialect.id == id) return &dialect;
  }
  return nullptr;
}

}  // namespace shunt::dialect
