// How a target words what most targets have. See body_words.h.
#include "dialect/body_words.h"

#include "dialect/custom_calls.h"

namespace shunt::dialect {
namespace {

void number(const char* word, const char* name, const std::optional<std::int64_t>& value, PieceWriter& w) {
  if (!value) return;
  word != nullptr ? w.integer(word, *value) : w.drop(name);
}

constexpr std::int64_t kMicro = 1000000;

// Values that go over as they stand.
struct Said {
  BodyText Params::* value;
  const char* BodyWords::* word;
  const char* name;
};
constexpr Said kSaid[] = {{&Params::temperature, &BodyWords::temperature, "temperature"},
                          {&Params::top_p, &BodyWords::top_p, "top_p"},
                          {&Params::top_k, &BodyWords::top_k, "top_k"},
                          {&Params::seed, &BodyWords::seed, "seed"},
                          {&Params::presence_penalty, &BodyWords::presence_penalty, "presence_penalty"},
                          {&Params::frequency_penalty, &BodyWords::frequency_penalty, "frequency_penalty"},
                          {&Params::user, &BodyWords::user, "user"}};

void write_stops(const std::vector<Text>& stops, const BodyWords& words, PieceWriter& w) {
  if (words.stop == nullptr) return w.drop("stop");
  w.put(words.stop);
  std::uint8_t count = 0;
  for (const Text& stop : stops) {
    if (count++ == words.most_stops) {
      const char digit = static_cast<char>('0' + words.most_stops);
      w.drop("stop sequences beyond ", std::string_view(&digit, 1));
      break;
    }
    w.put(R"("$")", stop);
  }
  w.put("]");
}

// The choice, and whether calls may come in parallel.
void write_choice(const Request& request, const ToolWords& words, PieceWriter& w) {
  const bool serial = request.params.parallel_tool_calls == false;
  const ChoiceWords& choices = *(serial && words.one_by_one != nullptr ? words.one_by_one : words.choices);
  const char* const word = choices[static_cast<std::size_t>(request.tool_choice)];
  if (word == nullptr) {
    w.drop("tool_choice");
  } else if (request.tool_choice == ToolChoice::named) {
    const bool custom = request.tool_choice_custom && words.custom != nullptr;
    w.put(custom ? words.custom->choice : word, request.tool_choice_name);
  } else if (*word != '\0') {
    w.put(word);
  }
  if (!serial || words.one_by_one != nullptr) return;
  words.serial != nullptr ? w.put(words.serial) : w.drop("parallel_tool_calls");
}

}  // namespace

void write_sampling(const Request& request, const BodyWords& words, PieceWriter& w) {
  const Params& params = request.params;
  number(words.max_tokens, "max_tokens", params.max_tokens, w);
  if (!params.stop.empty()) write_stops(params.stop, words, w);
  for (const Said& row : kSaid) {
    const BodyText& value = params.*row.value;
    if (!value.present) continue;
    const char* const word = words.*row.word;
    if (word == nullptr) {
      w.drop(row.name);
    } else if (row.word == &BodyWords::temperature && words.cool && params.temperature_micros > kMicro) {
      w.put(word, Raw::of("1"));
      w.drop("temperature above 1");
    } else if (row.word == &BodyWords::temperature && words.coldest != nullptr &&
               params.temperature_micros == 0) {
      w.put(word, Raw::of(words.coldest));
      w.drop("temperature 0");
    } else {
      w.put(word, value);
    }
  }
  if (params.choices.value_or(1) != 1) number(words.choices, "n", params.choices, w);
}

void write_logprobs(const Params& params, const BodyWords& words, PieceWriter& w) {
  if (params.logprobs) words.logprobs != nullptr ? w.put(words.logprobs) : w.drop("logprobs");
  number(params.logprobs ? words.top_logprobs : nullptr, "top_logprobs", params.top_logprobs, w);
}

void write_thinking(const Params& params, const BodyWords& words, PieceWriter& w) {
  if (words.effort != nullptr) {
    const std::string_view effort = openai_effort(params);
    if (!effort.empty()) w.word(words.effort, effort);
    return;
  }
  if (params.effort == Effort::none) {
    if (words.no_think != nullptr) w.put(words.no_think);
    return;
  }
  if (params.effort == Effort::unset && !params.thinking_budget) return;
  if (params.thinking_budget && words.budget != nullptr) {
    w.integer(words.budget, *params.thinking_budget);
  } else {
    words.think != nullptr ? w.put(words.think) : w.drop("reasoning_effort");
  }
}

void write_answer_format(const ResponseFormat& format, const BodyWords& words, PieceWriter& w) {
  if (format.kind == ResponseFormat::Kind::text) return;
  const bool schema = format.kind == ResponseFormat::Kind::json_schema;
  if (schema && words.named_schema != nullptr) {
    w.put(words.named_schema, format.name.empty() ? Text::of("answer") : format.name);
    w.present(R"("schema":$)", format.schema);
    return w.put(format.strict ? R"("strict":true}})" : "}}");
  }
  const char* word = schema ? words.json_schema : words.json_object;
  if (word == nullptr) return w.drop("response_format");
  schema ? w.put(word, format.schema) : w.put(word);
}

void write_settings(const Request& request, const BodyWords& words, PieceWriter& w) {
  write_answer_format(request.params.response_format, words, w);
  write_thinking(request.params, words, w);
  write_sampling(request, words, w);
  write_logprobs(request.params, words, w);
}

void write_tools(const Request& request, const ToolWords& words, PieceWriter& w) {
  bool open = false;
  for (const Tool& tool : request.tools) {
    if (!tool.type.empty()) {
      w.drop("tools[] of type ", tool.type);
      continue;
    }
    if (!open) w.put(words.open);
    open = true;
    const bool custom = tool.custom && words.custom != nullptr;
    w.put(custom ? words.custom->tool : words.tool, tool.name);
    if (!tool.description.empty()) w.put(R"("description":"$")", tool.description);
    if (custom) {
      if (tool.grammar.present) w.put(words.custom->grammar, tool.syntax, tool.grammar);
      w.put(words.end);
      continue;
    }
    if (tool.grammar.present) w.drop("tools[].format");
    if (tool.custom) {
      w.put(words.schema);
      w.put(kInputSchema);
    } else if (tool.schema.present || words.schema_always) {
      w.schema(words.schema, tool.schema);
    }
    const char* const strict = tool.strict ? words.strict : words.lax;
    if (strict != nullptr) w.put(strict);
    if (tool.strict && strict == nullptr) w.drop("tools[].strict");
    if (words.marks != nullptr && !words.marks_apart) w.mark(*words.marks, tool.mark);
    w.put(words.end);
    if (words.marks_apart) w.mark(*words.marks, tool.mark);
  }
  if (!open) return;
  w.put(words.close);
  write_choice(request, words, w);
  if (words.after != nullptr) w.put(words.after);
}

bool only_one_choice(const Request& request, const BodyWords& words, RequestProblem& problem) {
  return words.choices != nullptr || only_one_choice(request, problem);
}

// Budgets between the ones write_anthropic gives to low, medium and high.
std::string_view openai_effort(const Params& params) {
  switch (params.effort) {
    case Effort::unset: break;
    case Effort::none: return {};
    case Effort::minimal: return "minimal";
    case Effort::low: return "low";
    case Effort::medium: return "medium";
    case Effort::high:
    case Effort::xhigh:
    case Effort::max: return "high";  // the words above it are few models' own
  }
  if (!params.thinking_budget) return {};
  if (*params.thinking_budget < 4096) return "low";
  return *params.thinking_budget < 16384 ? "medium" : "high";
}

}  // namespace shunt::dialect
