// One row per mistake people make: where it is reported, what was found, what is allowed, what was meant.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/limits.h"
#include "sample.h"

namespace shunt::config {
namespace {

struct Mistake {
  std::string name;
  std::string text;
  std::string path;
  int line = 0;
  std::string found;       // part of it
  std::string allowed;     // part of it
  std::string suggestion;  // exactly
};

std::string repeat(std::string_view piece, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += piece;
  return out;
}
std::string provider(std::string_view rest) {
  return "{\"providers\":{\n\"p\":{" + std::string(rest) +
         "}},\"deployments\":[{\"id\":\"a\",\"provider\":\"p\",\"model\":\"m\"}]}";
}
std::string deployment(std::string_view rest) {
  return with_provider("\"deployments\":[{\"id\":\"a\",\"provider\":\"p\",\"model\":\"m\"," +
                       std::string(rest) + "}]");
}
std::string client(std::string_view rest) { return with_line("\"clients\":[{" + std::string(rest) + "}]"); }
std::string many_deployments(std::size_t count) {
  std::string list = R"({"id":"d0","provider":"p","model":"m"})";
  for (std::size_t i = 1; i < count; ++i) {
    list.append(R"(,{"id":"d)").append(std::to_string(i)).append(R"(","provider":"p","model":"m"})");
  }
  return with_provider("\"deployments\":[" + list + "]");
}
const std::string kSha(64, 'a');

std::vector<Mistake> text_mistakes() {
  return {
      {"empty", "", "$", 1, "an empty document", "one JSON object", ""},
      {"white space only", " \n\t ", "$", 1, "an empty document", "one JSON object", ""},
      {"not JSON", "providers: {}", "$", 1, "", "plain JSON", ""},
      {"cut short", "{\"providers\": {", "$.providers", 1, "", "plain JSON", ""},
      {"comment", "{\n// providers\n\"providers\": {}}", "$", 2, "", "no comments", ""},
      {"trailing comma", "{\n\"providers\": {},\n}", "$.providers", 3, "", "no comma after the last", ""},
      {"single quotes", "{\n'providers': {}}", "$", 2, "", "double quotes", ""},
      {"trailing garbage", with_line("\"routes\":{}") + "\nx", "$", 6, "", "plain JSON", ""},
      {"two documents", "{}\n{}", "$", 2, "", "plain JSON", ""},
      {"too deep", repeat("[", 500), "", 1, "", "plain JSON", ""},
      {"too big", std::string(limits::kConfigBytes + 1, ' '), "$", 1, "too big", "8 MB", ""},
      {"a list", "[]", "$", 1, "a list", "an object", ""},
      {"a string", "\"shunt\"", "$", 1, "\"shunt\"", "an object", ""},
      {"bad UTF-8", "{\"a\": \"\xff\"}", "$.a", 1, "", "plain JSON", ""},
      {"leading zero", deployment("\"weight\":01"), "$.deployments[0].weight", 3, "", "plain JSON", ""},
      {"no providers", "{}", "$", 1, "no \"providers\"", "required", ""},
      {"unknown section", with_line("\"deploymnets\":[]"), "$.deploymnets", 4, "unknown key \"deploymnets\"",
       "providers", "deployments"},
      {"section twice", with_line("\"routes\":{},\n\"routes\":{}"), "$.routes", 5, "\"routes\" a second time",
       "once", ""},
      {"nothing to call", with_provider("\"deployments\":[]"), "$", 1, "can call nothing",
       "one or more deployments", ""},
  };
}

std::vector<Mistake> provider_mistakes() {
  const std::string p = "$.providers.p";
  return {
      {"no source", provider("\"name\":\"x\""), p, 2, "neither", "one of them", ""},
      {"unknown preset", provider("\"preset\":\"opnai\""), p + ".preset", 2, "\"opnai\"", "a preset",
       "openai"},
      {"unknown dialect", provider("\"dialect\":\"openai_chatt\""), p + ".dialect", 2, "\"openai_chatt\"",
       "openai_chat", "openai_chat"},
      {"dialect against preset", provider("\"preset\":\"ollama\",\"dialect\":\"anthropic_messages\""),
       p + ".dialect", 2, "another", "the one or the other", ""},
      {"dialect without address", provider("\"dialect\":\"openai_chat\""), p, 2, "no \"base_url\"",
       "required", ""},
      {"template address", provider("\"preset\":\"azure\",\"keys\":[\"K\"]"), p, 2, "no \"base_url\"",
       "{resource}", ""},
      {"no scheme", provider("\"dialect\":\"openai_chat\",\"base_url\":\"api.x.example\""), p + ".base_url",
       2, "api.x.example", "https://", ""},
      {"wrong scheme", provider("\"dialect\":\"openai_chat\",\"base_url\":\"ftp://x\""), p + ".base_url", 2,
       "ftp://x", "https://", ""},
      {"space in address", provider("\"dialect\":\"openai_chat\",\"base_url\":\"https://x .example\""),
       p + ".base_url", 2, "x .example", "no spaces", ""},
      {"user in address", provider("\"dialect\":\"openai_chat\",\"base_url\":\"https://u:p@x.example\""),
       p + ".base_url", 2, "", "user name", ""},
      {"port out of range", provider("\"dialect\":\"openai_chat\",\"base_url\":\"http://x:99999\""),
       p + ".base_url", 2, "", "a port", ""},
      {"path without slash", provider("\"preset\":\"ollama\",\"path\":\"chat\""), p + ".path", 2, "\"chat\"",
       "begins with", ""},
      {"no keys", provider("\"preset\":\"openai\""), p, 2, "no \"keys\"", "names of secrets", ""},
      {"keys neither list nor client", provider("\"preset\":\"openai\",\"keys\":\"OPENAI_KEY\""), p + ".keys",
       2, "a string", "\"client\"", ""},
      {"keys a number", provider("\"preset\":\"openai\",\"keys\":7"), p + ".keys", 2, "7", "a list", ""},
      {"no key in keys", provider("\"preset\":\"openai\",\"keys\":[]"), p + ".keys", 2, "an empty list",
       "names", ""},
      {"empty key name", provider("\"preset\":\"openai\",\"keys\":[\"\"]"), p + ".keys[0]", 2,
       "an empty string", "name of a secret", ""},
      {"key name with space", provider("\"preset\":\"openai\",\"keys\":[\"A\",\n\"MY KEY\"]"), p + ".keys[1]",
       3, "no name", "name of a secret", ""},
      {"header with control character", provider("\"preset\":\"ollama\",\"headers\":{\"x-a\":\"a\\nb\"}"),
       p + ".headers['x-a']", 2, "no header can carry", "visible ASCII", ""},
      {"header not ASCII", provider("\"preset\":\"ollama\",\"headers\":{\"x-a\":\"\xE4\xBD\xA0\"}"),
       p + ".headers['x-a']", 2, "no header can carry", "visible ASCII", ""},
      {"header name with space", provider("\"preset\":\"ollama\",\"headers\":{\"x a\":\"b\"}"),
       p + ".headers['x a']", 2, "\"x a\"", "the name of a header", ""},
      {"credential header", provider("\"preset\":\"ollama\",\"headers\":{\"Authorization\":\"Bearer x\"}"),
       p + ".headers.Authorization", 2, "authorization", "keys", ""},
      {"header twice by case", provider("\"preset\":\"ollama\",\"headers\":{\"X-A\":\"1\",\"x-a\":\"2\"}"),
       p + ".headers['x-a']", 2, "a second time", "once", ""},
      {"unknown quirk", provider("\"preset\":\"ollama\",\"quirks\":[\"no_don\"]"), p + ".quirks[0]", 2,
       "\"no_don\"", "no_done", "no_done"},
      {"unknown auth", provider("\"preset\":\"ollama\",\"auth\":\"baerer\""), p + ".auth", 2, "\"baerer\"",
       "bearer", "bearer"},
      {"auth without name", provider("\"preset\":\"ollama\",\"keys\":[\"K\"],\"auth\":\"query\""), p, 2,
       "no \"auth_name\"", "parameter", ""},
      {"provider name with space", "{\"providers\":{\n\"my p\":{\"preset\":\"ollama\"}}}",
       "$.providers['my p']", 2, "\"my p\"", "an id", ""},
      {"provider twice", "{\"providers\":{\"p\":{\"preset\":\"ollama\"},\n\"p\":{}},\"deployments\":[]}", p,
       2, "a second time", "once", ""},
      {"provider a string", "{\"providers\":{\"p\":\n\"openai\"}}", p, 2, "\"openai\"", "an object", ""},
      {"region with a slash and a space", provider("\"preset\":\"ollama\",\"region\":\"eu / west\""),
       p + ".region", 2, "\"eu / west\"", "an id", ""},
      {"retry under a provider", provider("\"preset\":\"ollama\",\"retries\":3"), p + ".retries", 2,
       "unknown key", "timeouts", ""},
  };
}

std::vector<Mistake> deployment_mistakes() {
  const std::string d = "$.deployments[0]";
  return {
      {"dangling provider",
       with_provider("\"deployments\":[{\"id\":\"a\",\"provider\":\"pp\",\"model\":\"m\"}]"), d + ".provider",
       3, "unknown provider \"pp\"", "p", "p"},
      {"deployment twice",
       with_provider("\"deployments\":[{\"id\":\"a\",\"provider\":\"p\",\"model\":\"m\"},\n"
                     "{\"id\":\"a\",\"provider\":\"p\",\"model\":\"n\"}]"),
       "$.deployments[1].id", 4, "a second time", "each id once", ""},
      {"no id", with_provider("\"deployments\":[{\"provider\":\"p\",\"model\":\"m\"}]"), d, 3, "no \"id\"",
       "required", ""},
      {"no model", with_provider("\"deployments\":[{\"id\":\"a\",\"provider\":\"p\"}]"), d, 3, "no \"model\"",
       "required", ""},
      {"empty model", with_provider("\"deployments\":[{\"id\":\"a\",\"provider\":\"p\",\"model\":\"\"}]"),
       d + ".model", 3, "\"\"", "a name", ""},
      {"id with space",
       with_provider("\"deployments\":[{\"id\":\"a b\",\"provider\":\"p\",\"model\":\"m\"}]"), d + ".id", 3,
       "\"a b\"", "an id", ""},
      {"id not ASCII",
       with_provider("\"deployments\":[{\"id\":\"模型\",\"provider\":\"p\",\"model\":\"m\"}]"), d + ".id", 3,
       "模型", "an id", ""},
      {"id too long",
       with_provider("\"deployments\":[{\"id\":\"" + repeat("ab-", 22) +
                     "\",\"provider\":\"p\",\"model\":\"m\"}]"),
       d + ".id", 3, "ab-", "1 to 64", ""},
      {"wildcard id", with_provider("\"deployments\":[{\"id\":\"*@p\",\"provider\":\"p\",\"model\":\"m\"}]"),
       d + ".id", 3, "\"*@p\"", "an id", ""},
      {"negative weight", deployment("\"weight\":-5"), d + ".weight", 3, "-5", "from 0 to", ""},
      {"priority 0", deployment("\"priority\":0"), d + ".priority", 3, "0", "from 1 to", ""},
      {"fraction", deployment("\"weight\":1.5"), d + ".weight", 3, "1.5", "an integer", ""},
      {"exponent", deployment("\"weight\":1e3"), d + ".weight", 3, "1e3", "an integer", ""},
      {"number too large", deployment("\"weight\":99999999999999999999"), d + ".weight", 3,
       "99999999999999999999", "an integer", ""},
      {"number as string", deployment("\"weight\":\"5\""), d + ".weight", 3, "\"5\"", "an integer", ""},
      {"null", deployment("\"weight\":null"), d + ".weight", 3, "null", "an integer", ""},
      {"unknown key", deployment("\"wieght\":5"), d + ".wieght", 3, "unknown key \"wieght\"", "weight",
       "weight"},
      {"key twice", deployment("\"weight\":5,\n\"weight\":6"), d + ".weight", 4, "a second time", "once", ""},
      {"key twice, escaped", deployment("\"weight\":5,\n\"\\u0077eight\":6"), d + ".weight", 4,
       "a second time", "once", ""},
      {"negative cost", deployment("\"cost_per_mtok_usd\":{\"input\":-1}"), d + ".cost_per_mtok_usd.input", 3,
       "-1", "from 0", ""},
      {"score over 100", deployment("\"task_scores\":{\"chat\":101}"), d + ".task_scores.chat", 3, "101",
       "from 0 to 100", ""},
      {"zero rpm", deployment("\"limits\":{\"rpm\":0}"), d + ".limits.rpm", 3, "0", "from 1", ""},
      {"role not a string", deployment("\"roles\":[1]"), d + ".roles[0]", 3, "1", "a string", ""},
      {"deployment a string", with_provider("\"deployments\":[\"a\"]"), d, 3, "\"a\"", "an object", ""},
      {"deployments an object", with_provider("\"deployments\":{\"a\":1}"), "$.deployments", 3, "an object",
       "a list", ""},
      {"too many deployments", many_deployments(limits::kDeployments + 1), "$.deployments[10000]", 3,
       "too many", "10000", ""},
  };
}

std::vector<Mistake> share_mistakes() {
  const std::string d = "$.deployments[0]";
  return {
      {"zero tpm", deployment("\"limits\":{\"tpm\":0}"), d + ".limits.tpm", 3, "0", "from 1", ""},
      {"no concurrency", deployment("\"limits\":{\"concurrency\":0}"), d + ".limits.concurrency", 3, "0",
       "from 1", ""},
      {"budget of nothing", deployment("\"limits\":{\"budget_usd_day\":0}"), d + ".limits.budget_usd_day", 3,
       "0", "from 0.000001", ""},
      {"budget in fractions of tokens", deployment("\"limits\":{\"budget_tokens_day\":0.5}"),
       d + ".limits.budget_tokens_day", 3, "0.5", "an integer", ""},
      {"misspelt limit", deployment("\"limits\":{\"rpmm\":5}"), d + ".limits.rpmm", 3, "unknown key", "rpm",
       "rpm"},
      {"limits a number", deployment("\"limits\":5"), d + ".limits", 3, "5", "an object", ""},
      {"score of a task that is no id", deployment("\"task_scores\":{\"a b\":1}"), d + ".task_scores['a b']",
       3, "\"a b\"", "an id", ""},
      {"region with a space", deployment("\"region\":\"us east\""), d + ".region", 3, "\"us east\"", "an id",
       ""},
      {"empty region", deployment("\"region\":\"\""), d + ".region", 3, "\"\"", "an id", ""},
      {"region a list", deployment("\"region\":[\"us\"]"), d + ".region", 3, "a list", "a string", ""},
      {"empty role", deployment("\"roles\":[\"\"]"), d + ".roles[0]", 3, "\"\"", "a name", ""},
      {"role twice", deployment("\"roles\":[\"pro\",\n\"pro\"]"), d + ".roles[1]", 4, "a second time",
       "each role once", ""},
  };
}

std::vector<Mistake> override_mistakes() {
  const std::string d = "$.deployments[0]";
  return {
      {"params a list", deployment("\"override\":{\"params\":[1]}"), d + ".override.params", 3, "a list",
       "an object", ""},
      {"params set the model", deployment("\"override\":{\"params\":{\"model\":\"x\"}}"),
       d + ".override.params.model", 3, "the member \"model\"", "other than", ""},
      {"params without a name", deployment("\"override\":{\"params\":{\"\":1}}"), d + ".override.params['']",
       3, "\"\"", "1 to 64", ""},
      {"params set the system prompt", deployment("\"override\":{\"params\":{\"system\":\"x\"}}"),
       d + ".override.params.system", 3, "the member \"system\"", "system_prefix", ""},
      {"drop what no member is called", deployment("\"override\":{\"drop\":[\"a b\"]}"),
       d + ".override.drop[0]", 3, "\"a b\"", "1 to 64", ""},
      {"drop a word", deployment("\"override\":{\"drop\":\"n\"}"), d + ".override.drop", 3, "\"n\"", "a list",
       ""},
      {"drop the model", deployment("\"override\":{\"drop\":[\"model\"]}"), d + ".override.drop[0]", 3,
       "\"model\"", "other than", ""},
      {"drop the messages", deployment("\"override\":{\"drop\":[\"n\",\"messages\"]}"),
       d + ".override.drop[1]", 3, "\"messages\"", "other than", ""},
      {"drop the input", deployment("\"override\":{\"drop\":[\"input\"]}"), d + ".override.drop[0]", 3,
       "\"input\"", "other than", ""},
      {"drop the contents", deployment("\"override\":{\"drop\":[\"contents\"]}"), d + ".override.drop[0]", 3,
       "\"contents\"", "other than", ""},
      {"drop the streaming", deployment("\"override\":{\"drop\":[\"stream\"]}"), d + ".override.drop[0]", 3,
       "\"stream\"", "other than", ""},
      {"set and dropped", deployment("\"override\":{\"params\":{\"n\":1},\"drop\":[\"n\"]}"), d + ".override",
       3, "\"n\" both set and dropped", "the one or the other", ""},
      {"system prefix a list", deployment("\"override\":{\"system_prefix\":[\"x\"]}"),
       d + ".override.system_prefix", 3, "a list", "a string", ""},
      {"misspelt override", deployment("\"override\":{\"parms\":{}}"), d + ".override.parms", 3,
       "unknown key", "params", "params"},
  };
}

std::vector<Mistake> rule_mistakes() {
  const std::string d = "$.deployments[0]";
  return {
      {"unknown breaker preset", deployment("\"breaker\":{\"preset\":\"steped\"}"), d + ".breaker.preset", 3,
       "\"steped\"", "stepped", "stepped"},
      {"breaker a string", deployment("\"breaker\":\"stepped\""), d + ".breaker", 3, "\"stepped\"",
       "an object", ""},
      {"failure rate over 1", deployment("\"breaker\":{\"failure_rate\":50}"), d + ".breaker.failure_rate", 3,
       "50", "to 1", ""},
      {"window over 10 min", deployment("\"breaker\":{\"window_ms\":900000}"), d + ".breaker.window_ms", 3,
       "900000", "to 600000", ""},
      {"ladder that falls",
       deployment("\"breaker\":{\"ladder\":[{\"failures\":5,\"factor\":1},{\"failures\":3,\"factor\":2}]}"),
       d + ".breaker.ladder[1]", 3, "not above", "ascending", ""},
      {"no p99", deployment("\"breaker\":{\"p99_ms\":0}"), d + ".breaker.p99_ms", 3, "0", "from 1", ""},
      {"p99 of no calls", deployment("\"breaker\":{\"p99_min_calls\":0}"), d + ".breaker.p99_min_calls", 3,
       "0", "from 1", ""},
      {"outlier a number", deployment("\"breaker\":{\"outlier\":1.9}"), d + ".breaker.outlier", 3, "1.9",
       "true or false", ""},
      {"two forms of open time",
       deployment("\"breaker\":{\"open_factor\":2,\"ladder\":[{\"failures\":5,\"factor\":1}]}"),
       d + ".breaker", 3, "together", "one of the two", ""},
      {"negative timeout", deployment("\"timeouts\":{\"idle_ms\":-1}"), d + ".timeouts.idle_ms", 3, "-1",
       "from 1", ""},
      {"timeout without unit", deployment("\"timeouts\":{\"idle\":5}"), d + ".timeouts.idle", 3,
       "unknown key", "idle_ms", ""},
      {"first byte after total", deployment("\"timeouts\":{\"first_byte_ms\":50000,\"total_ms\":40000}"),
       d + ".timeouts", 3, "first_byte_ms 50000 inside total_ms 40000", "shorter", ""},
      {"first byte after built-in first token", deployment("\"timeouts\":{\"first_byte_ms\":130000}"),
       d + ".timeouts", 3, "first_token_ms 120000 (built in)", "shorter", ""},
      {"attempt after total", deployment("\"timeouts\":{\"attempt_ms\":90000,\"total_ms\":80000}"),
       d + ".timeouts", 3, "attempt_ms 90000", "shorter", ""},
  };
}

std::vector<Mistake> route_mistakes() {
  const std::string r = "$.routes.r";
  const auto lines = [](std::string_view list) {
    return with_line("\"routes\":{\"r\":{\"deployments\":" + std::string(list) + "}}");
  };
  return {
      {"dangling deployment", lines("[\"aa\"]"), r + ".deployments[0]", 4, "unknown deployment \"aa\"", "a",
       "a"},
      {"dangling deployment in an object", lines("[{\"id\":\"b\"}]"), r + ".deployments[0].id", 4,
       "unknown deployment", "a", "a"},
      {"empty route", lines("[]"), r + ".deployments", 4, "without lines", "one or more", ""},
      {"no lines", with_line("\"routes\":{\"r\":{}}"), r, 4, "no \"deployments\"", "required", ""},
      {"line twice", lines("[\"a\",\"a\"]"), r + ".deployments[1]", 4, "a second time", "each line once", ""},
      {"line a number", lines("[3]"), r + ".deployments[0]", 4, "3", "a deployment's id", ""},
      {"entry priority 0", lines("[{\"id\":\"a\",\"priority\":0}]"), r + ".deployments[0].priority", 4, "0",
       "from 1", ""},
      {"entry weight negative", lines("[{\"id\":\"a\",\"weight\":-1}]"), r + ".deployments[0].weight", 4,
       "-1", "from 0", ""},
      {"pattern line in a plain route", lines("[\"*@p\"]"), r + ".deployments[0]", 4, "\"*@p\"",
       "ends in \"/*\"", ""},
      {"star without provider", with_line("\"routes\":{\"x/*\":{\"deployments\":[\"*\"]}}"),
       "$.routes['x/*'].deployments[0]", 4, "\"*\"", "*@provider", ""},
      {"pattern line of an unknown provider", with_line("\"routes\":{\"x/*\":{\"deployments\":[\"*@q\"]}}"),
       "$.routes['x/*'].deployments[0]", 4, "unknown provider \"q\"", "p", "p"},
      {"star in the middle", with_line("\"routes\":{\"a*b\":{\"deployments\":[\"a\"]}}"), "$.routes['a*b']",
       4, "a*b", "at the end", ""},
      {"star alone", with_line("\"routes\":{\"*\":{\"deployments\":[\"a\"]}}"), "$.routes['*']", 4, "*",
       "after a prefix", ""},
      {"route twice",
       with_line("\"routes\":{\"r\":{\"deployments\":[\"a\"]},\n\"r\":{\"deployments\":[\"a\"]}}"), r, 5,
       "a second time", "once", ""},
  };
}

std::vector<Mistake> route_rule_mistakes() {
  const std::string r = "$.routes.r";
  return {
      {"breaker under a route", with_route("\"breaker\":{}"), r + ".breaker", 5, "a breaker under a route",
       "one health", ""},
      {"unknown strategy", with_route("\"strategy\":\"wieghted\""), r + ".strategy", 5, "\"wieghted\"",
       "priority_weighted", "weighted"},
      {"strategy a number", with_route("\"strategy\":1"), r + ".strategy", 5, "1", "priority_weighted", ""},
      {"unknown last_line", with_route("\"last_line\":\"kep\""), r + ".last_line", 5, "\"kep\"",
       "keep or protect", "keep"},
      {"unknown stream break", with_route("\"on_stream_break\":\"ignore\""), r + ".on_stream_break", 5,
       "\"ignore\"", "error", ""},
      {"no attempts", with_route("\"retry\":{\"attempts\":0}"), r + ".retry.attempts", 5, "0", "from 1 to 16",
       ""},
      {"negative budget", with_route("\"retry\":{\"budget\":{\"ratio\":-0.1}}"), r + ".retry.budget.ratio", 5,
       "-0.1", "from 0", ""},
      {"objective over 1", with_route("\"objective\":99.5"), r + ".objective", 5, "99.5", "to 1", ""},
      {"unknown role", with_route("\"stream\":{\"role\":\"pro\"}"), r + ".stream.role", 5,
       "unknown role \"pro\"", "a role", ""},
      {"unknown prompt", with_route("\"assess\":{\"deployment\":\"a\",\"prompt\":\"x\"}"),
       r + ".assess.prompt", 5, "unknown prompt", "prompts", ""},
      {"assess by an unknown line", with_route("\"assess\":{\"deployment\":\"z\"}"), r + ".assess.deployment",
       5, "unknown deployment", "a", "a"},
      {"old cache", with_route("\"fallback\":[{\"cached\":{\"max_age_s\":7201}}]"),
       r + ".fallback[0].cached.max_age_s", 5, "7201", "to 7200", ""},
      {"fallback to nobody", with_route("\"fallback\":[{\"deployment\":\"aa\"}]"),
       r + ".fallback[0].deployment", 5, "unknown deployment", "a", "a"},
      {"fallback of two things",
       with_route("\"fallback\":[{\"deployment\":\"a\",\"static\":{\"message\":\"m\"}}]"), r + ".fallback[0]",
       5, "several things", "one of", ""},
      {"fallback a string", with_route("\"fallback\":[\"a\"]"), r + ".fallback[0]", 5, "\"a\"", "an object",
       ""},
      {"fallback to itself", with_route("\"fallback\":[{\"route\":\"r\"}]"), r + ".fallback[0].route", 5,
       "comes back", "end", ""},
      {"fallbacks in a circle",
       with_line("\"routes\":{\n\"r\":{\"deployments\":[\"a\"],\"fallback\":[{\"route\":\"s\"}]},\n"
                 "\"s\":{\"deployments\":[\"a\"],\"fallback\":[{\"route\":\"r\"}]}}"),
       "$.routes.s.fallback[0].route", 6, "comes back", "end", ""},
      {"shadow without share", with_route("\"shadow\":{\"deployment\":\"a\"}"), r + ".shadow", 5,
       "no \"share\"", "required", ""},
      {"empty empty_when", with_route("\"empty_when\":{}"), r + ".empty_when", 5, "an empty object",
       "pointer", ""},
      {"thinking in other words", with_route("\"text\":{\"think\":\"taged\"}"), r + ".text.think", 5,
       "\"taged\"", "tagged", "tagged"},
      {"math by word", with_route("\"text\":{\"math\":\"yes\"}"), r + ".text.math", 5, "\"yes\"",
       "true or false", ""},
      {"rate limit by word", with_route("\"on_rate_limit\":\"wait\""), r + ".on_rate_limit", 5, "\"wait\"",
       "switch", ""},
      {"wait without end", with_route("\"on_rate_limit\":{\"wait_same\":{}}"), r + ".on_rate_limit.wait_same",
       5, "no \"max_wait_ms\"", "required", ""},
      {"route limit inside the line's", with_route("\"timeouts\":{\"idle_ms\":9000,\"total_ms\":8000}"),
       r + ".timeouts", 5, "idle_ms 9000 inside total_ms 8000", "shorter", ""},
  };
}

std::vector<Mistake> choice_mistakes() {
  const std::string r = "$.routes.r";
  return {
      {"unknown wanted role",
       with_line("\"routes\":{\"r\":{\"deployments\":[{\"id\":\"a\",\"role\":\"pro\"}],\n"
                 "\"roles\":[\"pro\",\"proo\"]}}"),
       r + ".roles[1]", 5, "unknown role \"proo\"", "a role", "pro"},
      {"wanted role twice",
       with_line("\"routes\":{\"r\":{\"deployments\":[{\"id\":\"a\",\"role\":\"pro\"}],\n"
                 "\"roles\":[\"pro\",\"pro\"]}}"),
       r + ".roles[1]", 5, "a second time", "each role once", ""},
      {"roles a word", with_route("\"roles\":\"pro\""), r + ".roles", 5, "\"pro\"", "a list", ""},
      {"prompt for an unknown role",
       with_line("\"routes\":{\"r\":{\"deployments\":[{\"id\":\"a\",\"role\":\"flash\"}],\n"
                 "\"prompts\":{\"flsh\":\"x\"}}}"),
       r + ".prompts.flsh", 5, "unknown role \"flsh\"", "a role", "flash"},
      {"prompt not a text",
       with_line("\"routes\":{\"r\":{\"deployments\":[{\"id\":\"a\",\"role\":\"flash\"}],\n"
                 "\"prompts\":{\"flash\":3}}}"),
       r + ".prompts.flash", 5, "3", "a string", ""},
      {"hedge budget over 1", with_route("\"hedge\":{\"after\":\"p95_ttft\",\"budget\":5}"),
       r + ".hedge.budget", 5, "5", "from 0 to 1", ""},
      {"hedge after nothing", with_route("\"hedge\":{\"budget\":0.05}"), r + ".hedge", 5, "no \"after\"",
       "required", ""},
      {"hedge after an unknown time", with_route("\"hedge\":{\"after\":\"p95_tft\"}"), r + ".hedge.after", 5,
       "\"p95_tft\"", "p95_ttft", "p95_ttft"},
      {"affinity by nothing", with_route("\"affinity\":{}"), r + ".affinity", 5, "no \"by\"", "required", ""},
      {"affinity by user", with_route("\"affinity\":{\"by\":\"user\"}"), r + ".affinity.by", 5, "\"user\"",
       "session or prefix", ""},
      {"prefix of no bytes", with_route("\"affinity\":{\"by\":\"prefix\",\"prefix_bytes\":0}"),
       r + ".affinity.prefix_bytes", 5, "0", "from 1 to 65536", ""},
      {"shadow by an unknown line", with_route("\"shadow\":{\"deployment\":\"aa\",\"share\":0.1}"),
       r + ".shadow.deployment", 5, "unknown deployment \"aa\"", "a", "a"},
      {"shadow of all and more", with_route("\"shadow\":{\"deployment\":\"a\",\"share\":1.5}"),
       r + ".shadow.share", 5, "1.5", "from 0 to 1", ""},
      {"gate that asks too much", with_route("\"gate\":{\"success\":98}"), r + ".gate.success", 5, "98",
       "from 0 to 1", ""},
      {"objective negative", with_route("\"objective\":-0.1"), r + ".objective", 5, "-0.1", "from 0", ""},
      {"task that is no id", with_route("\"task\":\"my task\""), r + ".task", 5, "\"my task\"", "an id", ""},
      {"across a word", with_route("\"across\":\"yes\""), r + ".across", 5, "\"yes\"", "true or false", ""},
      {"quota a number", with_route("\"quota\":1"), r + ".quota", 5, "1", "true or false", ""},
      {"min_score over 100", with_route("\"min_score\":101"), r + ".min_score", 5, "101", "from 0 to 100",
       ""},
      {"degrade threshold in percent", with_route("\"degrade_threshold\":60"), r + ".degrade_threshold", 5,
       "60", "from 0 to 1", ""},
  };
}

std::vector<Mistake> limit_mistakes() {
  return {
      {"client limit of none", client("\"id\":\"w\",\"key_sha256\":\"" + kSha + "\",\"limits\":{\"rpm\":0}"),
       "$.clients[0].limits.rpm", 4, "0", "from 1", ""},
      {"task without limits", with_line("\"tasks\":{\"r\":{}}"), "$.tasks.r", 4, "no \"limits\"", "required",
       ""},
      {"task that is no id", with_line("\"tasks\":{\"a b\":{\"limits\":{\"rpm\":1}}}"), "$.tasks['a b']", 4,
       "\"a b\"", "an id", ""},
      {"tasks a list", with_line("\"tasks\":[\"r\"]"), "$.tasks", 4, "a list", "an object", ""},
      {"task twice",
       with_line("\"routes\":{\"t\":{\"deployments\":[\"a\"]}},\"tasks\":{\"t\":{\"limits\":{\"rpm\":1}},\n"
                 "\"t\":{\"limits\":{\"rpm\":1}}}"),
       "$.tasks.t", 5, "a second time", "once", ""},
      {"more at once than there is room for", with_line("\"limits\":{\"concurrency\":70000}"),
       "$.limits.concurrency", 4, "70000", "to 65536", ""},
      {"no rpm of all", with_line("\"limits\":{\"rpm\":0}"), "$.limits.rpm", 4, "0", "from 1", ""},
      {"no budget of all", with_line("\"limits\":{\"budget_usd_day\":-1}"), "$.limits.budget_usd_day", 4,
       "-1", "from 0.000001", ""},
      {"queue of a size that is none", with_line("\"limits\":{\"queue\":{\"size\":-1}}"),
       "$.limits.queue.size", 4, "-1", "from 0", ""},
      {"queue for an hour", with_line("\"limits\":{\"queue\":{\"max_wait_ms\":3600000}}"),
       "$.limits.queue.max_wait_ms", 4, "3600000", "to 600000", ""},
      {"queue a number", with_line("\"limits\":{\"queue\":100}"), "$.limits.queue", 4, "100", "an object",
       ""},
  };
}

std::vector<Mistake> other_mistakes() {
  return {
      {"client without id", client("\"key_sha256\":\"" + kSha + "\""), "$.clients[0]", 4, "no \"id\"",
       "required", ""},
      {"client without key", client("\"id\":\"web\""), "$.clients[0]", 4, "no \"key_sha256\"", "required",
       ""},
      {"client key no hash", client("\"id\":\"web\",\"key_sha256\":\"secret\""), "$.clients[0].key_sha256", 4,
       "6 bytes, not shown", "SHA-256", ""},
      {"client twice",
       with_line("\"clients\":[{\"id\":\"w\",\"key_sha256\":\"" + kSha +
                 "\"},\n{\"id\":\"w\",\"key_sha256\":\"" + std::string(64, 'b') + "\"}]"),
       "$.clients[1].id", 5, "a second time", "once", ""},
      {"two clients, one key",
       with_line("\"clients\":[{\"id\":\"w\",\"key_sha256\":\"" + kSha +
                 "\"},\n{\"id\":\"v\",\"key_sha256\":\"" + kSha + "\"}]"),
       "$.clients[1].key_sha256", 5, "another client", "one client per key", ""},
      {"client priority", client("\"id\":\"w\",\"key_sha256\":\"" + kSha + "\",\"priority\":\"hgih\""),
       "$.clients[0].priority", 4, "\"hgih\"", "low, normal or high", "high"},
      {"origin with path", with_line("\"cors\":{\"origins\":[\"https://app.example/\"]}"),
       "$.cors.origins[0]", 4, "app.example/", "an origin", ""},
      {"origin without scheme", with_line("\"cors\":{\"origins\":[\"app.example\"]}"), "$.cors.origins[0]", 4,
       "app.example", "an origin", ""},
      {"origins a string", with_line("\"cors\":{\"origins\":\"*\"}"), "$.cors.origins", 4, "\"*\"", "a list",
       ""},
      {"unknown store", with_line("\"state\":{\"store\":\"reddis\"}"), "$.state.store", 4, "\"reddis\"",
       "memory", "redis"},
      {"state without a store", with_line("\"state\":{\"shard\":\"eu\"}"), "$.state", 4, "no \"store\"",
       "required", ""},
      {"shard that is no id", with_line("\"state\":{\"store\":\"kv\",\"shard\":\"a b\"}"), "$.state.shard", 4,
       "\"a b\"", "an id", ""},
      {"refresh all the time", with_line("\"state\":{\"store\":\"kv\",\"refresh_ms\":10}"),
       "$.state.refresh_ms", 4, "10", "from 100", ""},
      {"staleness of an hour", with_line("\"state\":{\"store\":\"kv\",\"staleness_ms\":3600000}"),
       "$.state.staleness_ms", 4, "3600000", "to 600000", ""},
      {"checks without a pause", with_line("\"active_checks\":{\"every_s\":0}"), "$.active_checks.every_s", 4,
       "0", "from 1", ""},
      {"checks without a budget", with_line("\"active_checks\":{\"per_hour\":5000}"),
       "$.active_checks.per_hour", 4, "5000", "to 1000", ""},
      {"admin without a token", with_line("\"admin\":{}"), "$.admin", 4, "no \"token\"", "required", ""},
      {"no room for an answer", with_line("\"limits\":{\"answer_bytes\":5}"), "$.limits.answer_bytes", 4, "5",
       "from 1024", ""},
      {"one body above all bodies", with_line("\"limits\":{\"body_buffer_bytes\":2048,\"held_bytes\":1024}"),
       "$.limits", 4, "body_buffer_bytes above", "at most", ""},
      {"admin token in clear", with_line("\"admin\":{\"token\":\"hunter2 hunter2\"}"), "$.admin.token", 4,
       "no name", "name of a secret", ""},
      {"rule of an unknown class", with_line("\"rules\":[{\"status\":503,\"class\":\"RATE_LIMIT\"}]"),
       "$.rules[0].class", 4, "\"RATE_LIMIT\"", "RATE_LIMITED", "RATE_LIMITED"},
      {"rule for everything", with_line("\"rules\":[{\"class\":\"TEMPORARY\"}]"), "$.rules[0]", 4,
       "matches every failure", "\"contains\"", ""},
      {"rule for an unknown provider",
       with_line("\"rules\":[{\"class\":\"TEMPORARY\",\"status\":503,\"provider\":\"pp\"}]"),
       "$.rules[0].provider", 4, "\"pp\"", "provider", "p"},
      {"rule of a bare star", with_line("\"rules\":[{\"class\":\"TEMPORARY\",\"code\":\"*\"}]"),
       "$.rules[0].code", 4, "\"*\"", "1 to 200 bytes", ""},
      {"rule of an empty phrase", with_line("\"rules\":[{\"class\":\"TEMPORARY\",\"contains\":[\"\"]}]"),
       "$.rules[0].contains[0]", 4, "", "1 to 200 bytes", ""},
      {"rule of an unknown penalty",
       with_line("\"rules\":[{\"class\":\"TEMPORARY\",\"status\":503,\"penalty\":\"lnog\"}]"),
       "$.rules[0].penalty", 4, "\"lnog\"", "long", "long"},
      {"default limits that cross",
       with_line("\"defaults\":{\"timeouts\":{\"idle_ms\":9000,\"attempt_ms\":500}}"), "$.defaults.timeouts",
       4, "idle_ms 9000 inside attempt_ms 500", "shorter", ""},
      {"wrong type deep inside", with_line("\"defaults\":{\"retry\":{\"budget\":[]}}"),
       "$.defaults.retry.budget", 4, "a list", "an object", ""},
  };
}

void expect_reported(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.name);
    const Read result = read(mistake.text);
    EXPECT_FALSE(result.ok);
    ASSERT_EQ(result.faults.size(), 1U) << (result.faults.empty() ? "" : describe(result.faults.back()));
    const Fault& fault = result.faults.front();
    if (!mistake.path.empty()) {
      EXPECT_EQ(fault.path, mistake.path);
    }
    EXPECT_EQ(fault.line, mistake.line);
    EXPECT_GE(fault.column, 1);
    EXPECT_FALSE(fault.found.empty());
    EXPECT_NE(fault.found.find(mistake.found), std::string::npos) << fault.found;
    EXPECT_NE(fault.allowed.find(mistake.allowed), std::string::npos) << fault.allowed;
    EXPECT_EQ(fault.suggestion, mistake.suggestion);
  }
}

TEST(Mistakes, OfTheText) { expect_reported(text_mistakes()); }
TEST(Mistakes, OfProviders) { expect_reported(provider_mistakes()); }
TEST(Mistakes, OfDeployments) { expect_reported(deployment_mistakes()); }
TEST(Mistakes, OfBreakersAndLimits) { expect_reported(rule_mistakes()); }
TEST(Mistakes, OfRoutes) { expect_reported(route_mistakes()); }
TEST(Mistakes, OfTheRulesOfRoutes) { expect_reported(route_rule_mistakes()); }
TEST(Mistakes, OfWhatALineHasOrMayUse) { expect_reported(share_mistakes()); }
TEST(Mistakes, OfWhatALineChanges) { expect_reported(override_mistakes()); }
TEST(Mistakes, OfHowARouteChooses) { expect_reported(choice_mistakes()); }
TEST(Mistakes, OfWhatAllMayUse) { expect_reported(limit_mistakes()); }
TEST(Mistakes, OfTheOtherSections) { expect_reported(other_mistakes()); }

struct Warned {
  std::string text, path, found, allowed;
};

TEST(Mistakes, WhatMayBeMeantIsAWarning) {
  const std::vector<Warned> rows = {
      {deployment("\"breaker\":{\"window_ms\":10000}"), "$.deployments[0].breaker.window_ms", "10000",
       "10 s or less"},
      {deployment("\"breaker\":{\"window_ms\":300000}"), "$.deployments[0].breaker.window_ms", "300000",
       "5 min or more"},
      {deployment("\"timeouts\":{\"attempt_ms\":90000,\"total_ms\":90000}"), "$.deployments[0].timeouts",
       "attempt_ms 90000", "never ends first"},
      {provider("\"dialect\":\"openai_chat\",\"base_url\":\"http://10.0.0.5/v1\",\"keys\":[\"K\"]"),
       "$.providers.p", "http://", "read them"},
      {with_line("\"routes\":{\"a\":{\"deployments\":[\"a\"]}}"), "$.routes.a", "id of a deployment",
       "calls the route"},
      {with_line("\"state\":{\"store\":\"redis\"}"), "$.state.store", "redis", "not yet in force"},
      {deployment("\"limits\":{\"rpm\":60}"), "$.deployments[0].limits", "limits with the store memory",
       "alone"},
      {client("\"id\":\"w\",\"key_sha256\":\"" + kSha +
              "\",\"limits\":{\"tpm\":1}}],\"state\":{\"store\":\"kv\"},\"rules\":[{\"class\":\"TEMPORARY\","
              "\"status\":503"),
       "$.clients[0].limits", "limits with the store kv", "alone"},
      {with_line("\"limits\":{\"concurrency\":5},\"state\":{\"store\":\"file\"}"), "$.limits",
       "limits with the store file", "durable_object"},
      {with_line("\"state\":{\"store\":\"durable_object\"},\"routes\":{\"chat\":{\"deployments\":[\"a\"]}},"
                 "\"tasks\":{\"caht\":{\"limits\":{\"rpm\":5}}}"),
       "$.tasks.caht", "\"caht\", which no route names", "x-shunt-task"},
      {with_route("\"affinity\":{\"by\":\"session\"}"), "$.routes.r.affinity", "does not heed it",
       "affinity"},
      {with_route("\"quota\":true"), "$.routes.r.quota", "does not heed it", "score"},
      {with_route("\"degrade_threshold\":0.5"), "$.routes.r.degrade_threshold", "does not heed it",
       "success_degrade"},
      {with_route("\"gate\":{\"min_calls\":5}"), "$.routes.r.gate", "without a shadow", "shadow"},
      {with_route("\"on_stream_break\":\"continue\""), "$.routes.r.on_stream_break", "continue",
       "not yet in force"},
  };
  for (const Warned& row : rows) {
    SCOPED_TRACE(row.text);
    const Read result = read(row.text);
    EXPECT_TRUE(result.ok);
    ASSERT_EQ(result.loaded.warnings.size(), 1U);
    const Fault& warning = result.loaded.warnings[0];
    EXPECT_TRUE(warning.warning);
    EXPECT_EQ(warning.path, row.path);
    EXPECT_NE(warning.found.find(row.found), std::string::npos) << warning.found;
    EXPECT_NE(warning.allowed.find(row.allowed), std::string::npos) << warning.allowed;
  }
}

TEST(Mistakes, AKeyInPlaceOfItsNameIsRefusedAndNeverShown) {
  for (const std::string secret :
       {"sk-proj-Abc123Def456Ghi789Jkl", "AIzaSyA1b2C3d4E5f6G7h8", "gsk_8Jd92kfm3Kd03",
        "0f8fad5bd9cb469fa16570867728950e", "Zx81kQpW77aLmN02vTyU"}) {
    SCOPED_TRACE(secret);
    const Read result = read(provider("\"preset\":\"openai\",\"keys\":[\"" + secret + "\"]"));
    ASSERT_EQ(result.faults.size(), 1U);
    EXPECT_EQ(result.faults[0].path, "$.providers.p.keys[0]");
    EXPECT_NE(result.faults[0].allowed.find("environment variable"), std::string::npos);
    EXPECT_EQ(describe(result.faults[0]).find(secret), std::string::npos);
    EXPECT_EQ(fault_json(result.faults[0]).find(secret.substr(4, 8)), std::string::npos);
  }
}

TEST(Mistakes, ASecretIsNotShownWhereverItStands) {
  const std::string secret = "sk-proj-Abc123Def456Ghi789Jkl";
  for (const std::string& text :
       {provider("\"preset\":\"openai\",\"keys\":\"" + secret + "\""),
        provider("\"preset\":\"ollama\",\"" + secret + "\":1"), deployment("\"weight\":\"" + secret + "\""),
        with_line("\"routes\":{\"r\":{\"deployments\":[\"" + secret + "\"]}}"),
        provider("\"preset\":\"ollama\",\"headers\":{\"authorization\":\"" + secret + "\"}"),
        client("\"id\":\"web\",\"key_sha256\":\"" + secret + "\""), "{\"" + secret + "\":{\"x\":}"}) {
    SCOPED_TRACE(text);
    const Read result = read(text);
    ASSERT_FALSE(result.faults.empty());
    for (const Fault& fault : result.faults)
      EXPECT_EQ(describe(fault).find(secret), std::string::npos) << describe(fault);
  }
}

TEST(Mistakes, AHundredAreReportedAndNoMore) {
  std::string list;
  for (int i = 0; i < 300; ++i) {
    if (i > 0) list += ',';
    list.append(R"({"id":"d)").append(std::to_string(i)).append(R"(","provider":"x","model":"m"})");
  }
  EXPECT_EQ(read(with_provider("\"deployments\":[" + list + "]")).faults.size(), kFaults);
}

TEST(Mistakes, AWrongDefaultIsSaidOnceNotForEveryLine) {
  const Read result =
      read(R"({"defaults":{"timeouts":{"idle_ms":5000,"total_ms":3000}},"providers":{"p":{"preset":"ollama"}},
    "deployments":[{"id":"a","provider":"p","model":"m"},{"id":"b","provider":"p","model":"m"}]})");
  EXPECT_EQ(result.faults.size(), 1U);
}

}  // namespace
}  // namespace shunt::config
