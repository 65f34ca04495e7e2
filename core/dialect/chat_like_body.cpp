// Request bodies of the dialects that word a chat nearly as openai_chat does. See chat_like_body.h.
//   Cohere     https://docs.cohere.com/reference/chat
//   Ollama     https://docs.ollama.com/api/chat
//   DashScope  https://help.aliyun.com/zh/model-studio/qwen-api-via-dashscope
//   Workers AI https://developers.cloudflare.com/workers-ai/models (each model's schema)
//   LM Studio  https://lmstudio.ai/docs/developer/rest/chat
#include "dialect/chat_like_body.h"

#include <algorithm>

#include "dialect/said_calls.h"

namespace shunt::dialect {
namespace {

constexpr ToolWords kTools = {.open = R"("tools":[)",
                              .tool = R"({"type":"function","function":{"name":"$")",
                              .schema = R"("parameters":)",
                              .end = "}}"};
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
    .choices = &kCohereChoices};

constexpr ChatWords kOllama = {.params = {.max_tokens = R"("num_predict":$)",
                                          .temperature = R"("temperature":$)",
                                          .top_p = R"("top_p":$)",
                                          .top_k = R"("top_k":$)",
                                          .seed = R"("seed":$)",
                                          .presence_penalty = R"("presence_penalty":$)",
                                          .frequency_penalty = R"("frequency_penalty":$)",
                                          .stop = R"("stop":[)",
                                          .think = R"("think":true)",
                                          .no_think = R"("think":false)",
                                          .json_object = R"("format":"json")",
                                          .json_schema = R"("format":$)"},
                               .sampling = R"("options":{)",
                               .images = Images::apart,
                               .call_objects = true,
                               .choices = &kNoChoices,
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
               .think = R"("enable_thinking":true)",
               .no_think = R"("enable_thinking":false)",
               .budget = R"("enable_thinking":true,"thinking_budget":$)",
               .json_object = R"("response_format":{"type":"json_object"})",
               .named_schema = R"("response_format":{"type":"json_schema","json_schema":{"name":"$")"},
    .open = R"({"input":{"messages":[)",
    .close = "]}",
    .settings = R"("parameters":{"result_format":"message")",
    .choices = &kDashscopeChoices,
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
    .model = false,
    .choices = &kNoChoices};

bool is_image(const Part& part) {
  return part.kind == PartKind::image_url || part.kind == PartKind::image_base64;
}

constexpr char kUser[] = R"({"role":"user","content":)";

class ChatWriter {
 public:
  ChatWriter(const ChatWords& words, const Request& request, PieceWriter& out, RequestProblem& problem)
      : words_(words), request_(request), w_(out), problem_(problem) {}

  bool messages() {
    for (const Message& message : request_.messages) {
      if (!write(message)) return false;
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
      if (to < message.parts.size()) result(message.parts[to++]);
      from = to;
    }
    return true;
  }

  // A run of parts as one message.
  bool said(const Message& message, std::size_t from, std::size_t to, const char* opening) {
    bool images = false;
    for (std::size_t i = from; i < to; ++i) {
      const Part& part = message.parts[i];
      if (!takes(part)) return refuse(message, "holds what the target cannot say", problem_);
      images = images || !is_text(part);
    }
    const bool user = opening == kUser;
    const bool list = user && words_.images == Images::list && !message.plain;
    if (!user && none_said(message.parts, from, to)) return true;
    w_.put(opening);
    if (list || (images && words_.images == Images::parts)) {
      parts(message, from, to);
    } else {
      texts(message.parts, from, to, kBlockBreak);
      if (images) base64_images(message, from, to);
    }
    w_.put("}");
    return true;
  }

  bool takes(const Part& part) const {
    if (is_text(part)) return true;
    if (part.kind == PartKind::document_base64) return words_.images == Images::list;
    return is_image(part) && words_.images != Images::none &&
           (words_.images != Images::apart || part.kind == PartKind::image_base64);
  }

  static bool none_said(const std::vector<Part>& parts, std::size_t from, std::size_t to) {
    while (from < to && parts[from].text.empty()) ++from;
    return from == to;
  }

  void texts(const std::vector<Part>& parts, std::size_t from, std::size_t to, const char* between) {
    bool first = true;
    w_.go_on("\"");
    for (std::size_t i = from; i < to; ++i) {
      if (!is_text(parts[i]) || parts[i].text.empty()) continue;
      if (!first) w_.go_on(between);
      first = false;
      w_.out.content(parts[i].text);
    }
    w_.go_on("\"");
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
    bool has_text = false, has_call = false;
    for (const Part& part : message.parts) {
      if (is_text(part)) {
        has_text = true;
      } else if (part.kind == PartKind::tool_call) {
        has_call = true;
      } else if (part.kind == PartKind::thinking || part.kind == PartKind::other) {
        const bool thinking = part.kind == PartKind::thinking;
        w_.drop("messages[].content[] of type ", thinking ? "thinking" : std::string_view(part.type));
      } else {
        return refuse(message, "an assistant message can hold only texts and tool calls here", problem_);
      }
    }
    if (!has_text && !has_call) return true;
    w_.put(R"({"role":"assistant")");
    if (has_text) {
      w_.put(R"("content":)");
      texts(message.parts, 0, message.parts.size(), "");
    } else if (words_.empty != nullptr) {
      w_.put(words_.empty);
    }
    if (has_call) {
      w_.put(R"("tool_calls":[)");
      for (const Part& part : message.parts) {
        if (part.kind == PartKind::tool_call && !call(part))
          return refuse(message, "holds what the target cannot say", problem_);
      }
      w_.put("]");
    }
    w_.put("}");
    return true;
  }

  // False: it is a text, which would have to stand in an object inside a string.
  bool call(const Part& part) {
    if (words_.call_objects) {
      calls_.add(part);
      w_.put(R"({"function":{"name":"$")", part.name);
      w_.input(R"("arguments":)", part);
      w_.go_on("}}");
      return true;
    }
    const bool custom = part.text.present && words_.custom != nullptr;
    w_.put(
        custom ? words_.custom->call : R"({"id":"$","type":"function","function":{"name":"$","arguments":")",
        part.id, part.name);
    w_.out.content(custom ? part.text : part.arguments);
    w_.go_on("\"}}");
    return custom || !part.text.present;
  }

  void result(const Part& result) {
    for (const Part& part : result.content) {
      if (!is_text(part)) w_.drop("tool_result content that is not text");
    }
    if (result.is_error) w_.drop("tool_result.is_error");
    w_.put(R"({"role":"tool","content":)");
    texts(result.content, 0, result.content.size(), kBlockBreak);
    words_.call_objects ? w_.put(R"("tool_name":"$"})", calls_.name_of(result))
                        : w_.put(R"("tool_call_id":"$"})", result.id);
  }

  const ChatWords& words_;
  const Request& request_;
  PieceWriter& w_;
  RequestProblem& problem_;
  SaidCalls calls_;
};

}  // namespace

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
  if (words.settings != nullptr) w.put(words.settings);
  ToolWords tools = kTools;
  tools.choices = words.choices;
  tools.custom = words.custom;
  tools.strict = words.strict;
  tools.serial = words.serial;
  write_tools(request, tools, w);
  write_answer_format(request.params.response_format, words.params, w);
  write_thinking(request.params, words.params, w);
  if (words.sampling != nullptr) w.put(words.sampling);
  write_sampling(request, words.params, w);
  if (words.sampling != nullptr) w.put("}");
  const char* stream = request.stream ? words.streamed : words.plain;
  if (stream != nullptr) w.put(stream);
  if (words.settings != nullptr) w.put("}");
  if (words.model) w.word(R"("model":"$")", target.model);
  w.put("}");
  list_dropped(request, out);
  return true;
}

namespace {

// ---- one prompt ----

constexpr BodyWords kCompletionsParams = {.max_tokens = R"("max_tokens":$)",
                                          .temperature = R"("temperature":$)",
                                          .top_p = R"("top_p":$)",
                                          .seed = R"("seed":$)",
                                          .presence_penalty = R"("presence_penalty":$)",
                                          .frequency_penalty = R"("frequency_penalty":$)",
                                          .stop = R"("stop":[)",
                                          .user = R"("user":"$")",
                                          .choices = R"("n":$)"};
constexpr BodyWords kLmStudioParams = {.max_tokens = R"("max_output_tokens":$)",
                                       .temperature = R"("temperature":$)",
                                       .top_p = R"("top_p":$)",
                                       .top_k = R"("top_k":$)",
                                       .think = R"("reasoning":"on")",
                                       .no_think = R"("reasoning":"off")"};

struct PromptWords {
  const char* prompt;
  const char* system;  // null = there is no place for it
  BodyWords params;
  const char* streamed;
};
constexpr PromptWords kCompletions = {R"({"prompt":")", nullptr, kCompletionsParams, R"("stream":true)"};
constexpr PromptWords kLmStudio = {R"({"input":")", R"("system_prompt":")", kLmStudioParams,
                                   R"("stream":true)"};

// It holds one text and nothing else, or several where they may become one.
bool is_plain(const Message& message, bool several) {
  const bool fits = several ? !message.parts.empty() : message.parts.size() == 1;
  return fits && std::all_of(message.parts.begin(), message.parts.end(),
                             [](const Part& part) { return part.kind == PartKind::text; });
}

void write_system(const char* opening, const Message& system, PieceWriter& w) {
  w.put(opening);
  for (const Part& part : system.parts) {
    if (&part != &system.parts.front()) w.go_on(kBlockBreak);
    w.out.content(part.text);
  }
  w.go_on("\"");
}

bool write_prompt(const PromptWords& words, const Request& request, const RequestTarget& target,
                  BodyPieces& out, RequestProblem& problem) {
  out.clear();
  if (!translatable(request, problem) || !only_one_choice(request, words.params, problem)) return false;
  if (request.partial) return false;  // what is still to come may be a second message
  const Message* prompt = nullptr;
  const Message* system = nullptr;
  for (const Message& message : request.messages) {
    const bool is_user = message.role == Role::user;
    const bool is_system = message.role == Role::system || message.role == Role::developer;
    const Message*& place = is_user ? prompt : system;
    if (place != nullptr || !is_plain(message, is_system) ||
        !(is_user || (is_system && words.system != nullptr)))
      return refuse(message, "this provider takes one prompt of plain text and no conversation", problem);
    place = &message;
  }
  if (prompt == nullptr || !request.tools.empty()) {
    problem = {prompt == nullptr ? "messages" : "tools", "this provider takes one prompt of plain text", 400};
    return false;
  }
  PieceWriter w(out);
  w.put(words.prompt);
  if (words.system == nullptr && !target.system.empty()) {
    w.out.content(escaped(target.system));
    w.go_on(kBlockBreak);
  }
  w.out.content(prompt->parts.front().text);
  w.go_on("\"");
  if (system != nullptr) write_system(words.system, *system, w);
  write_answer_format(request.params.response_format, words.params, w);
  write_thinking(request.params, words.params, w);
  write_sampling(request, words.params, w);
  if (request.stream) w.put(words.streamed);
  w.word(R"("model":"$"})", target.model);
  list_dropped(request, out);
  return true;
}

}  // namespace

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

bool write_completions(const Request& request, const RequestTarget& target, BodyPieces& out,
                       RequestProblem& problem) {
  return write_prompt(kCompletions, request, target, out, problem);
}

bool write_lmstudio(const Request& request, const RequestTarget& target, BodyPieces& out,
                    RequestProblem& problem) {
  return write_prompt(kLmStudio, request, target, out, problem);
}

}  // namespace shunt::dialect
