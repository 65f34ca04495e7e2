// Request bodies of the dialects that word a chat nearly as openai_chat does. See chat_like_body.h.
//   Cohere     https://docs.cohere.com/reference/chat
//   Ollama     https://docs.ollama.com/api/chat
//   DashScope  https://help.aliyun.com/zh/model-studio/qwen-api-via-dashscope
//   Workers AI https://developers.cloudflare.com/workers-ai/models (each model's schema)
//   ERNIE      https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
#include "dialect/chat_like_body.h"

#include <algorithm>

#include "dialect/said_calls.h"

namespace shunt::dialect {

constexpr CallWords kOpenAiCalls = {.open = R"("tool_calls":[)",
                                    .call = R"({"id":"$","type":"function","function":{"name":"$")",
                                    .end = "}}",
                                    .close = "]",
                                    .result = R"({"role":"tool","content":")",
                                    .of = R"("tool_call_id":"$"})"};

namespace {

constexpr ChoiceWords kNoChoices = {"", "", nullptr, nullptr, nullptr};
constexpr ChoiceWords kCohereChoices = {"", "", R"("tool_choice":"NONE")", R"("tool_choice":"REQUIRED")",
                                        nullptr};
constexpr ChoiceWords kDashscopeChoices = {"", R"("tool_choice":"auto")", R"("tool_choice":"none")", nullptr,
                                           R"("tool_choice":{"type":"function","function":{"name":"$"}})"};

constexpr ChatWords kCohere = {
    .params = {.max_tokens = R"("max_tokens":$)",
               .temperature = R"("temperature":$)",
               .top_p = R"("p":$)",
               .top_k = R"("k":$)",
               .seed = R"("seed":$)",
               .presence_penalty = R"("presence_penalty":$)",
               .frequency_penalty = R"("frequency_penalty":$)",
               .stop = R"("stop_sequences":[)",
               .think = R"("thinking":{"type":"enabled"})",
               .no_think = R"("thinking":{"type":"disabled"})",
               .budget = R"("thinking":{"type":"enabled","token_budget":$})",
               .json_object = R"("response_format":{"type":"json_object"})",
               .json_schema = R"("response_format":{"type":"json_object","json_schema":$})"},
    .images = Images::parts,
    .empty = nullptr,
    .tools = with_choices(kOpenAiTools, kCohereChoices)};

constexpr CallWords kOllamaCalls = {.open = R"("tool_calls":[)",
                                    .call = R"({"function":{"name":"$")",
                                    .end = "}}",
                                    .close = "]",
                                    .result = R"({"role":"tool","content":")",
                                    .of = R"("tool_name":"$"})",
                                    .named = true,
                                    .objects = true};
constexpr ChatWords kOllama = {.params = {.max_tokens = R"("num_predict":$)",
                                          .temperature = R"("temperature":$)",
                                          .top_p = R"("top_p":$)",
                                          .top_k = R"("top_k":$)",
                                          .seed = R"("seed":$)",
                                          .presence_penalty = R"("presence_penalty":$)",
                                          .frequency_penalty = R"("frequency_penalty":$)",
                                          .stop = R"("stop":[)",
                                          .logprobs = R"("logprobs":true)",
                                          .top_logprobs = R"("top_logprobs":$)",
                                          .think = R"("think":true)",
                                          .no_think = R"("think":false)",
                                          .json_object = R"("format":"json")",
                                          .json_schema = R"("format":$)"},
                               .sampling = R"("options":{)",
                               .images = Images::apart,
                               .calls = &kOllamaCalls,
                               .tools = with_choices(kOpenAiTools, kNoChoices),
                               .plain = R"("stream":false)"};

constexpr ChatWords kDashscope = {
    .params = {.max_tokens = R"("max_tokens":$)",
               .temperature = R"("temperature":$)",
               .top_p = R"("top_p":$)",
               .top_k = R"("top_k":$)",
               .seed = R"("seed":$)",
               .presence_penalty = R"("presence_penalty":$)",
               .stop = R"("stop":[)",
               .choices = R"("n":$)",
               .logprobs = R"("logprobs":true)",
               .top_logprobs = R"("top_logprobs":$)",
               .think = R"("enable_thinking":true)",
               .no_think = R"("enable_thinking":false)",
               .budget = R"("enable_thinking":true,"thinking_budget":$)",
               .json_object = R"("response_format":{"type":"json_object"})",
               .named_schema = R"("response_format":{"type":"json_schema","json_schema":{"name":"$")"},
    .open = R"({"input":{"messages":[)",
    .close = "]}",
    .settings = R"("parameters":{"result_format":"message")",
    .tools = with_choices(kOpenAiTools, kDashscopeChoices),
    .streamed = R"("incremental_output":true)"};

constexpr ChatWords kWorkersAi = {
    .params = {.max_tokens = R"("max_tokens":$)",
               .temperature = R"("temperature":$)",
               .top_p = R"("top_p":$)",
               .top_k = R"("top_k":$)",
               .seed = R"("seed":$)",
               .presence_penalty = R"("presence_penalty":$)",
               .frequency_penalty = R"("frequency_penalty":$)",
               .json_object = R"("response_format":{"type":"json_object"})",
               .json_schema = R"("response_format":{"type":"json_schema","json_schema":$})"},
    .images = Images::data_parts,
    .model = false,
    .tools = with_choices(kOpenAiTools, kNoChoices)};

constexpr CallWords kErnieCalls = {.open = R"("function_call":{)",
                                   .call = R"("name":"$")",
                                   .close = "}",
                                   .result = R"({"role":"function","content":")",
                                   .of = R"("name":"$"})",
                                   .named = true};
constexpr ToolWords kErnieTools = {
    .open = R"("functions":[)", .tool = R"({"name":"$")", .schema = R"("parameters":)"};
constexpr ChoiceWords kErnieChoices = {"", "", nullptr, nullptr,
                                       R"("tool_choice":{"type":"function","function":{"name":"$"}})"};
constexpr ChatWords kErnie = {.params = {.max_tokens = R"("max_output_tokens":$)",
                                         .temperature = R"("temperature":$)",
                                         .cool = true,
                                         .coldest = "0.01",
                                         .top_p = R"("top_p":$)",
                                         .stop = R"("stop":[)",
                                         .most_stops = 4,
                                         .user = R"("user_id":"$")",
                                         .json_object = R"("response_format":"json_object")"},
                              .calls = &kErnieCalls,
                              .system = R"("system":")",
                              .turns = true,
                              .model = false,
                              .tools = with_choices(kErnieTools, kErnieChoices)};

bool is_image(const Part& part) {
  return part.kind == PartKind::image_url || part.kind == PartKind::image_base64;
}

constexpr char kUser[] = R"({"role":"user","content":)";
constexpr char kNoWords[] = "holds what the target cannot say";

bool none_said(const std::vector<Part>& parts, std::size_t from, std::size_t to) {
  while (from < to && parts[from].text.empty()) ++from;
  return from == to;
}

// Texts inside a string.
void write_texts(const std::vector<Part>& parts, std::size_t from, std::size_t to, const char* between,
                 PieceWriter& w) {
  bool first = true;
  for (std::size_t i = from; i < to; ++i) {
    if (!is_text(parts[i]) || parts[i].text.empty()) continue;
    if (!first) w.go_on(between);
    first = false;
    w.out.content(parts[i].text);
  }
}

class ChatWriter {
 public:
  ChatWriter(const ChatWords& words, const Request& request, PieceWriter& out, RequestProblem& problem)
      : words_(words), calls_(*words.calls), request_(request), w_(out), problem_(problem) {}

  bool messages() {
    for (const Message& message : request_.messages) {
      if (words_.system != nullptr && is_system(message)) continue;
      if (!write(message)) return false;
    }
    close();
    if (words_.turns && answered_ && !request_.partial) {
      problem_ = {"messages", "must end with the user's turn at this provider", 400};
      return false;
    }
    return true;
  }

 private:
  bool write(const Message& message) {
    if (message.role == Role::assistant) return assistant(message);
    const bool user = message.role == Role::user || message.role == Role::tool;
    const char* opening = user ? kUser : R"({"role":"system","content":)";
    // Tool results are messages of their own here; what stands between them stays in order.
    for (std::size_t from = 0; from < message.parts.size();) {
      std::size_t to = from;
      while (to < message.parts.size() && message.parts[to].kind != PartKind::tool_result) ++to;
      if (to > from && !said(message, from, to, opening)) return false;
      if (to < message.parts.size() && !result(message, message.parts[to++])) return false;
      from = to;
    }
    return true;
  }

  // False: two messages of one side, where sides alternate.
  bool turn(const Message& message, bool assistant) {
    close();
    if (words_.turns && assistant == answered_)
      return refuse(message, "this provider takes the user and the assistant by turns", problem_);
    answered_ = assistant;
    return true;
  }

  void close() {
    if (open_) w_.go_on("\"}");
    open_ = false;
  }

  // A run of parts as one message.
  bool said(const Message& message, std::size_t from, std::size_t to, const char* opening) {
    bool images = false;
    for (std::size_t i = from; i < to; ++i) {
      const Part& part = message.parts[i];
      if (!takes(part)) return refuse(message, kNoWords, problem_);
      images = images || !is_text(part);
    }
    const bool user = opening == kUser;
    const bool list = user && words_.images == Images::list && !message.plain;
    if (!user && none_said(message.parts, from, to)) return true;
    const bool goes_on = open_;
    if (!goes_on && !turn(message, false)) return false;
    if (!goes_on) w_.put(opening);
    if (list || (images && words_.images != Images::apart)) {
      parts(message, from, to);
    } else {
      w_.go_on(goes_on ? kBlockBreak : "\"");
      write_texts(message.parts, from, to, kBlockBreak, w_);
      open_ = words_.turns;
      if (open_) return true;
      w_.go_on("\"");
      if (images) base64_images(message, from, to);
    }
    w_.put("}");
    return true;
  }

  bool takes(const Part& part) const {
    if (is_text(part)) return true;
    if (part.kind == PartKind::document_base64) return words_.images == Images::list;
    const bool fetched = words_.images == Images::parts || words_.images == Images::list;
    return (part.kind == PartKind::image_url && fetched) ||
           (part.kind == PartKind::image_base64 && words_.images != Images::none);
  }

  void end_image(const Part& part) {
    w_.present(R"("detail":"$")", part.detail);
    w_.put("}}");
  }

  void parts(const Message& message, std::size_t from, std::size_t to) {
    w_.go_on("[");
    for (std::size_t i = from; i < to; ++i) {
      const Part& part = message.parts[i];
      if (is_text(part)) {
        w_.put(R"({"type":"text","text":"$"})", part.text);
      } else if (part.kind == PartKind::image_url) {
        w_.put(R"({"type":"image_url","image_url":{"url":"$")", part.text);
        end_image(part);
      } else if (part.kind == PartKind::document_base64) {
        w_.put(R"({"type":"file","file":{"file_data":"data:$;base64,$")", escaped(part.media_type),
               part.text);
        w_.put(part.name.empty() ? R"("filename":"document.pdf"}})" : R"("filename":"$"}})", part.name);
      } else {
        w_.put(R"({"type":"image_url","image_url":{"url":"data:$;base64,$")", escaped(part.media_type),
               part.text);
        end_image(part);
      }
    }
    w_.put("]");
  }

  void base64_images(const Message& message, std::size_t from, std::size_t to) {
    w_.put(R"("images":[)");
    for (std::size_t i = from; i < to; ++i) {
      const Part& part = message.parts[i];
      if (!is_image(part)) continue;
      w_.put(R"("$")", part.text);
      if (part.detail.present) w_.drop("detail");
    }
    w_.put("]");
  }

  bool assistant(const Message& message) {
    bool has_text = false;
    std::size_t has_calls = 0;
    for (const Part& part : message.parts) {
      if (is_text(part)) {
        has_text = true;
      } else if (part.kind == PartKind::tool_call) {
        ++has_calls;
      } else if (part.kind == PartKind::thinking || part.kind == PartKind::other) {
        const bool thinking = part.kind == PartKind::thinking;
        w_.drop("messages[].content[] of type ", thinking ? "thinking" : std::string_view(part.type));
      } else {
        return refuse(message, "an assistant message can hold only texts and tool calls here", problem_);
      }
    }
    if (!has_text && has_calls == 0) return true;
    if (!turn(message, true)) return false;
    if (words_.turns && has_calls > 1)
      return refuse(message, "this provider takes one call at a time", problem_);
    w_.put(R"({"role":"assistant")");
    if (has_text) {
      w_.put(R"("content":")");
      write_texts(message.parts, 0, message.parts.size(), "", w_);
      w_.go_on("\"");
    } else if (words_.empty != nullptr) {
      w_.put(words_.empty);
    }
    if (has_calls != 0) {
      w_.put(calls_.open);
      for (const Part& part : message.parts) {
        if (part.kind == PartKind::tool_call && !call(part)) return refuse(message, kNoWords, problem_);
      }
      w_.go_on(calls_.close);
    }
    w_.put("}");
    return true;
  }

  // False: it is a text too long for an object inside a string.
  bool call(const Part& part) {
    if (part.text.present && words_.tools.custom != nullptr) {
      w_.put(words_.tools.custom->call, part.id, part.name);
      w_.out.content(part.text);
      w_.go_on("\"}}");
      return true;
    }
    if (calls_.named) said_calls_.add(part);
    calls_.named ? w_.put(calls_.call, part.name) : w_.put(calls_.call, part.id, part.name);
    if (calls_.objects) {
      w_.input(R"("arguments":)", part);
    } else if (part.text.present && !part.arguments.present) {
      return false;
    } else {
      w_.put(R"("arguments":"$")", part.arguments);
    }
    w_.go_on(calls_.end);
    return true;
  }

  bool result(const Message& message, const Part& result) {
    if (!turn(message, false)) return false;
    for (const Part& part : result.content) {
      if (!is_text(part)) w_.drop("tool_result content that is not text");
    }
    if (result.is_error) w_.drop("tool_result.is_error");
    w_.put(calls_.result);
    write_texts(result.content, 0, result.content.size(), kBlockBreak, w_);
    w_.go_on("\"");
    w_.put(calls_.of, calls_.named ? said_calls_.name_of(result) : result.id);
    return true;
  }

  const ChatWords& words_;
  const CallWords& calls_;
  const Request& request_;
  PieceWriter& w_;
  RequestProblem& problem_;
  SaidCalls said_calls_;
  bool answered_ = true;  // the last message was the assistant's, or there is none
  bool open_ = false;     // … was the user's, and a text may go on in it
};

}  // namespace

bool write_system(const char* opening, const Request& request, PieceWriter& w, RequestProblem& problem) {
  bool open = false;
  for (const Message& message : request.messages) {
    if (!is_system(message)) continue;
    if (!std::all_of(message.parts.begin(), message.parts.end(), is_text))
      return refuse(message, "a system message can hold only texts here", problem);
    if (none_said(message.parts, 0, message.parts.size())) continue;
    open ? static_cast<void>(w.go_on(kBlockBreak)) : w.put(opening);
    open = true;
    write_texts(message.parts, 0, message.parts.size(), kBlockBreak, w);
  }
  if (open) w.go_on("\"");
  return true;
}

bool write_chat_like(const ChatWords& words, const Request& request, const RequestTarget& target,
                     BodyPieces& out, RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem) || !only_one_choice(request, words.params, problem)) return false;
  PieceWriter w(out);
  ChatWriter chat(words, request, w, problem);
  w.put(words.open);
  if (!chat.messages()) return false;
  if (request.partial) {
    end_partial(request, out);
    return true;
  }
  w.put(words.close);
  if (words.system != nullptr && !write_system(words.system, request, w, problem)) return false;
  if (words.settings != nullptr) w.put(words.settings);
  write_tools(request, words.tools, w);
  write_answer_format(request.params.response_format, words.params, w);
  write_thinking(request.params, words.params, w);
  if (words.sampling != nullptr) w.put(words.sampling);
  write_sampling(request, words.params, w);
  if (words.sampling != nullptr) w.put("}");
  write_logprobs(request.params, words.params, w);
  const char* stream = request.stream ? words.streamed : words.plain;
  if (stream != nullptr) w.put(stream);
  if (words.settings != nullptr) w.put("}");
  if (words.model) w.word(R"("model":"$")", target.model);
  w.put("}");
  list_dropped(request, out);
  return true;
}

bool write_cohere(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem) {
  return write_chat_like(kCohere, request, target, out, problem);
}

bool write_ollama(const Request& request, const RequestTarget& target, BodyPieces& out,
                  RequestProblem& problem) {
  return write_chat_like(kOllama, request, target, out, problem);
}

bool write_dashscope(const Request& request, const RequestTarget& target, BodyPieces& out,
                     RequestProblem& problem) {
  return write_chat_like(kDashscope, request, target, out, problem);
}

bool write_workers_ai(const Request& request, const RequestTarget& target, BodyPieces& out,
                      RequestProblem& problem) {
  return write_chat_like(kWorkersAi, request, target, out, problem);
}

bool write_ernie(const Request& request, const RequestTarget& target, BodyPieces& out,
                 RequestProblem& problem) {
  return write_chat_like(kErnie, request, target, out, problem);
}

}  // namespace shunt::dialect
