// Log probabilities of an answer's tokens, between the forms of the dialects that tell them. Knows JSON; no
// events.
#pragma once

#include <string>
#include <string_view>

namespace shunt::dialect {

// How they travel: an Extra of a choice under this key, before the text whose tokens they are. Its raw JSON
// is openai_chat's object with `content`, or that array alone. Both of OpenAI's APIs word a token alike:
// {"token", "logprob", "bytes", "top_logprobs"}.
inline constexpr std::string_view kLogprobsKey = "choice.logprobs";

// Appends the tokens of such JSON: elements of an array, behind a comma where `tokens` has some already.
// False = it is in another form (a refusal's, the older API's) or no JSON, and nothing was appended.
bool append_tokens(std::string& tokens, std::string_view told);
// … of tokens that were taken so before.
void join_tokens(std::string& tokens, std::string_view more);

// Gemini's LogprobsResult as such an array; empty when it is not JSON. It gives no bytes: a token's are those
// of its text.
std::string openai_tokens(std::string_view result);
// … and back, as a candidate's member behind a comma; nothing where there are no tokens.
void append_gemini_logprobs(std::string& out, std::string_view tokens);

}  // namespace shunt::dialect
