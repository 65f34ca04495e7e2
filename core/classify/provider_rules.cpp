// Codes that mean something only from one family of providers, mostly numbers. Sources: the
// providers' own error code pages.
#include "classify/rule_pack.h"
#include "classify/rules.h"
#include "classify/rulings.h"

namespace shunt::classify {
namespace {

using enum ErrorClass;

// clang-format off: one row, one or a few lines
constexpr Rule kRules[] = {
    // Zhipu (bigmodel): 1000 to 1004 authentication, 11xx account, 12xx request, 13xx policy and limits.
    {"zhipu/missing_key", Family::zhipu, kAll, "1001", "", {auth_failure, "missing_key"}},
    {"zhipu/expired_key", Family::zhipu, kAll, "1003", "", {auth_failure, "expired_key"}},
    {"zhipu/key", Family::zhipu, kAll, "1000|1002|1004", "", {auth_failure, "invalid_key"}},
    {"zhipu/account", Family::zhipu, kAll, "1100|1110|1111|1112|1121", "", {auth_failure, "account"}},
    {"zhipu/balance", Family::zhipu, kAll, "1113", "", {quota_insufficient, "balance"}},
    {"zhipu/permission", Family::zhipu, kAll, "1220|=434", "", {auth_failure, "permission"}},
    {"zhipu/model_access", Family::zhipu, kAll,
     "1311", "", {auth_failure, "model_access", Scope::deployment}},
    {"zhipu/model", Family::zhipu, kAll, "1211", "", {provider_unavailable, "model_not_found"}},
    {"zhipu/api_retired", Family::zhipu, kAll, "1221|1222", "", {provider_unavailable, "api_retired"}},
    {"zhipu/context", Family::zhipu, kAll, "1261", "", kContext},
    {"zhipu/duplicate", Family::zhipu, kAll, "1231", "", {invalid_request, "duplicate_request"}},
    {"zhipu/missing_parameter", Family::zhipu, kAll,
     "1213", "", {invalid_request, "missing_parameter"}},
    {"zhipu/parameter", Family::zhipu, kAll,
     "1210|1212|1214|1215|1216", "", {invalid_request, "invalid_parameter"}},
    {"zhipu/file_size", Family::zhipu, kAll, "435|=435", "", {invalid_request, "payload_too_large"}},
    {"zhipu/policy", Family::zhipu, kAll, "1300", "", {content_policy, "policy_block"}},
    {"zhipu/finish", Family::zhipu, kAll, "sensitive", "", {content_policy, "content_output"}},
    {"zhipu/content", Family::zhipu, kAll, "1301", "", {content_policy, "content_input"}},
    {"zhipu/concurrency", Family::zhipu, kAll, "1302", "并发", {rate_limited, "concurrency"}},
    {"zhipu/busy", Family::zhipu, kAll, "1305|1312", "访问量过大|overloaded", kOverloaded},
    {"zhipu/rate", Family::zhipu, kAll, "1302|1303|1305", "", {rate_limited, "rate"}},
    {"zhipu/rate_in_text", Family::zhipu, kAll, "", "[1302]|[1303]|[1305]", {rate_limited, "rate"}},
    {"zhipu/daily", Family::zhipu, kAll, "1304", "", {quota_insufficient, "per_day_quota"}},
    {"zhipu/plan_window", Family::zhipu, kAll, "1308|1310", "", {quota_insufficient, "plan_window"}},
    {"zhipu/plan_expired", Family::zhipu, kAll, "1309", "", {quota_insufficient, "plan_expired"}},
    {"zhipu/fair_use", Family::zhipu, kAll, "1313", "", {quota_insufficient, "fair_use"}},
    {"zhipu/internal", Family::zhipu, kAll, "1120|1200|1230|1234", "", {temporary, "server_error"}},

    // MiniMax: base_resp.status_code; its compatible APIs put the number into the sentence.
    {"minimax/timeout", Family::minimax, kAll, "1001", "", {temporary, "upstream_timeout"}},
    {"minimax/rpm", Family::minimax, kAll, "1002", "", {rate_limited, "rpm"}},
    {"minimax/rpm_in_text", Family::minimax, kAll, "", "(1002)", {rate_limited, "rpm"}},
    {"minimax/burst", Family::minimax, kAll, "2045", "", {rate_limited, "burst"}},
    {"minimax/tpm", Family::minimax, kAll, "1039", "", {rate_limited, "tpm"}},
    {"minimax/concurrency", Family::minimax, kAll, "1041", "", {rate_limited, "concurrency"}},
    {"minimax/missing_key", Family::minimax, kAll,
     "1004", "carry the api secret", {auth_failure, "missing_key"}},
    {"minimax/key", Family::minimax, kAll, "1004|2049", "", {auth_failure, "invalid_key"}},
    {"minimax/permission", Family::minimax, kAll,
     "2042|2061", "", {auth_failure, "permission", Scope::deployment}},
    {"minimax/balance", Family::minimax, kAll, "1008", "", {quota_insufficient, "balance"}},
    {"minimax/balance_in_text", Family::minimax, kAll, "", "(1008)", {quota_insufficient, "balance"}},
    {"minimax/plan_window", Family::minimax, kAll, "2056", "", {quota_insufficient, "plan_window"}},
    {"minimax/plan_in_text", Family::minimax, kAll, "", "(2056)", {quota_insufficient, "plan_window"}},
    {"minimax/input", Family::minimax, kAll, "1026", "", {content_policy, "content_input"}},
    {"minimax/input_in_text", Family::minimax, kAll, "", "(1026)", {content_policy, "content_input"}},
    {"minimax/output", Family::minimax, kAll, "1027", "", {content_policy, "content_output"}},
    {"minimax/output_in_text", Family::minimax, kAll, "", "(1027)", {content_policy, "content_output"}},
    {"minimax/model", Family::minimax, kAll, "", "unknown model",
     {provider_unavailable, "model_not_found"}},
    {"minimax/parameter", Family::minimax, kAll,
     "1042|1043|1044|2013|2037|2038|2039|2048|20132", "", {invalid_request, "invalid_parameter"}},
    {"minimax/parameter_in_text", Family::minimax, kAll, "",
     "(2013)", {invalid_request, "invalid_parameter"}},
    {"minimax/internal", Family::minimax, kAll, "1000|1013|1024|1033", "", {temporary, "server_error"}},

    // Baidu Qianfan: numbers of the open platform (1 to 111) and of Qianfan (336xxx).
    {"baidu/expired_token", Family::baidu, kAll, "111", "", {auth_failure, "expired_token"}},
    {"baidu/token", Family::baidu, kAll,
     "100|110|invalid_iam_token|invalid_access_token", "", {auth_failure, "invalid_token"}},
    {"baidu/key", Family::baidu, kAll, "13|14|15", "", {auth_failure, "invalid_key"}},
    {"baidu/permission", Family::baidu, kAll, "6|336004", "", {auth_failure, "permission"}},
    {"baidu/daily", Family::baidu, kAll,
     "17|QUOTA_USER_DAILY*", "free", {quota_insufficient, "free_tier_exhausted"}},
    {"baidu/per_day", Family::baidu, kAll, "17", "", {quota_insufficient, "per_day_quota"}},
    {"baidu/total", Family::baidu, kAll, "19", "", {quota_insufficient, "plan_quota"}},
    {"baidu/busy", Family::baidu, kAll, "2|4|336100|cluster_rate_limit_exceeded", "", kOverloaded},
    {"baidu/rpm", Family::baidu, kAll, "336501|*rpm_rate_limit*", "", {rate_limited, "rpm"}},
    {"baidu/tpm", Family::baidu, kAll, "336502|*tpm_rate_limit*", "", {rate_limited, "tpm"}},
    {"baidu/qps", Family::baidu, kAll, "18|RATE_LIMIT_*", "", {rate_limited, "qps"}},
    {"baidu/model", Family::baidu, kAll,
     "3|336005|336101", "", {provider_unavailable, "model_not_found"}},
    {"baidu/context", Family::baidu, kAll,
     "336007|336103|tokens_too_long|characters_too_long", "", kContext},
    {"baidu/json", Family::baidu, kAll, "336002", "", {invalid_request, "malformed_json"}},
    {"baidu/parameter", Family::baidu, kAll,
     "336001|336003|336006|336104", "", {invalid_request, "invalid_parameter"}},
    {"baidu/internal", Family::baidu, kAll, "1|336000|336200", "", {temporary, "server_error"}},

    // iFlytek Spark: header.code.
    {"iflytek/input", Family::iflytek, kAll, "10013|10021", "", {content_policy, "content_input"}},
    {"iflytek/output", Family::iflytek, kAll, "10014", "", {content_policy, "content_output"}},
    {"iflytek/either", Family::iflytek, kAll, "10019", "", {content_policy, "content_input_or_output"}},
    {"iflytek/licence", Family::iflytek, kAll, "10015|10016|11200", "", {auth_failure, "licence"}},
    {"iflytek/daily", Family::iflytek, kAll, "11201", "", {quota_insufficient, "per_day_quota"}},
    {"iflytek/qps", Family::iflytek, kAll, "11202", "", {rate_limited, "qps"}},
    {"iflytek/concurrency", Family::iflytek, kAll,
     "10006|10007|11203", "", {rate_limited, "concurrency"}},
    {"iflytek/context", Family::iflytek, kAll, "10907", "", kContext},
    {"iflytek/message_format", Family::iflytek, kAll,
     "10003|10004", "", {invalid_request, "invalid_input"}},
    {"iflytek/parameter", Family::iflytek, kAll,
     "10005|10163", "", {invalid_request, "invalid_parameter"}},
    {"iflytek/capacity", Family::iflytek, kAll, "10008", "", kOverloaded},
    {"iflytek/busy", Family::iflytek, kAll, "10110", "", {temporary, "server_busy"}},
    {"iflytek/engine", Family::iflytek, kAll,
     "10000|10001|10002|10009|10010|10011|10012|10017|10018|10222|10223", "",
     {temporary, "server_error"}},

    // Kling: 10xx key, 11xx account, 12xx request, 13xx limits, 5xxx server.
    {"kling/missing_key", Family::kling, kAll, "1001", "", {auth_failure, "missing_key"}},
    {"kling/key", Family::kling, kAll, "1000|1002|1003|1004", "", {auth_failure, "invalid_key"}},
    {"kling/account", Family::kling, kAll, "1100", "", {auth_failure, "account"}},
    {"kling/arrears", Family::kling, kAll, "1101", "", {quota_insufficient, "arrears"}},
    {"kling/pack", Family::kling, kAll, "1102", "", {quota_insufficient, "resource_pack"}},
    {"kling/permission", Family::kling, kAll,
     "1103", "", {auth_failure, "permission", Scope::deployment}},
    {"kling/parameter", Family::kling, kAll, "1200|1201", "", {invalid_request, "invalid_parameter"}},
    {"kling/method", Family::kling, kAll, "1202", "", {invalid_request, "wrong_method"}},
    {"kling/model", Family::kling, kAll, "1203", "", {provider_unavailable, "model_not_found"}},
    {"kling/policy", Family::kling, kAll, "1300", "", {content_policy, "policy_block"}},
    {"kling/content", Family::kling, kAll, "1301", "", {content_policy, "content_input"}},
    {"kling/rate", Family::kling, kAll, "1302", "", {rate_limited, "rate"}},
    {"kling/concurrency", Family::kling, kAll, "1303", "", {rate_limited, "concurrency"}},
    {"kling/ip", Family::kling, kAll, "1304", "", {auth_failure, "ip_blocked"}},
    {"kling/timeout", Family::kling, kAll, "5002", "", {temporary, "upstream_timeout"}},
    {"kling/internal", Family::kling, kAll, "5000|5001", "", {temporary, "server_error"}},
    {"kling/risk", Family::kling, kAll, "failed", "risk control", {content_policy, "content_output"}},

    // Cloudflare Workers AI: errors[].code.
    {"workers_ai/key", Family::workers_ai, kAll, "10000|9109|9106", "", {auth_failure, "invalid_key"}},
    {"workers_ai/model_permission", Family::workers_ai, kAll,
     "5018|5016", "", {auth_failure, "model_permission", Scope::deployment}},
    {"workers_ai/too_large", Family::workers_ai, kAll,
     "3006", "", {invalid_request, "payload_too_large"}},
    {"workers_ai/path", Family::workers_ai, kAll, "7003", "", {invalid_request, "wrong_endpoint"}},
    {"workers_ai/model", Family::workers_ai, kAll,
     "5007|7000", "", {provider_unavailable, "model_not_found"}},
    {"workers_ai/daily", Family::workers_ai, kAll,
     "4006|3036", "", {quota_insufficient, "per_day_quota"}},
    {"workers_ai/capacity", Family::workers_ai, kAll, "3040", "", {temporary, "capacity"}},
    {"workers_ai/timeout", Family::workers_ai, kAll, "3007|3008", "", {temporary, "upstream_timeout"}},
    {"workers_ai/parameter", Family::workers_ai, kAll,
     "3003|5004|5005|5006", "", {invalid_request, "invalid_parameter"}},

    // SiliconFlow: 20012 and 20015 stand for several things; the sentence parts them.
    {"siliconflow/model", Family::siliconflow, kAll,
     "20012", "model does not exist", {provider_unavailable, "model_not_found"}},
    {"siliconflow/busy", Family::siliconflow, kAll, "20015|50505", "busy|overloaded", kOverloaded},
    {"siliconflow/disabled", Family::siliconflow, kAll,
     "30003", "", {provider_unavailable, "model_deprecated"}},
    {"siliconflow/balance", Family::siliconflow, kAll, "30001", "", {quota_insufficient, "balance"}},
    {"siliconflow/parameter", Family::siliconflow, kAll,
     "20012|20015", "", {invalid_request, "invalid_parameter"}},

    // midjourney-proxy: code of a submission (1 and 22 are good), failReason of a task.
    {"midjourney/word", Family::midjourney, kAll, "24", "", {content_policy, "sensitive_word"}},
    {"midjourney/banned", Family::midjourney, kAll,
     "failure", "banned prompt", {content_policy, "sensitive_word"}},
    {"midjourney/blocked", Family::midjourney, kAll,
     "failure", "[blocked]|has been blocked", {auth_failure, "account"}},
    {"midjourney/queue", Family::midjourney, kAll, "23", "", {rate_limited, "queue_full"}},
    {"midjourney/discord_queue", Family::midjourney, kAll,
     "failure", "queue full|queue is full", {rate_limited, "queue_full"}},
    {"midjourney/account", Family::midjourney, kAll,
     "3", "账号|实例", {provider_unavailable, "no_channel"}},
    {"midjourney/reference", Family::midjourney, kAll,
     "3|4|21", "关联任务|不存在|已存在", {invalid_request, "stale_reference"}},
    {"midjourney/upload", Family::midjourney, kAll, "4", "discord", {temporary, "upstream"}},
    {"midjourney/submission", Family::midjourney, kAll,
     "4", "", {invalid_request, "invalid_parameter"}},
    {"midjourney/parameter", Family::midjourney, kAll,
     "failure", "[invalid parameter]|[invalid", {invalid_request, "invalid_parameter"}},
    {"midjourney/timeout", Family::midjourney, kAll,
     "failure", "任务超时", {temporary, "upstream_timeout"}},
    {"midjourney/internal", Family::midjourney, kAll, "9|failure", "", {temporary, "server_error"}},

    // Alibaba Bailian's older API: Success false and a number.
    {"bailian/key", Family::bailian, kAll, "100001|100016", "", {auth_failure, "invalid_key"}},
    {"bailian/permission", Family::bailian, kAll, "100006|100007", "", {auth_failure, "permission"}},
    {"bailian/input", Family::bailian, kAll, "100008", "", {content_policy, "content_input"}},
    {"bailian/content", Family::bailian, kAll, "100009|100023", "", {content_policy, "content_output"}},
    {"bailian/rule", Family::bailian, kAll,
     "100010|100021|100026", "", {content_policy, "custom_rule"}},
    {"bailian/missing", Family::bailian, kAll, "100004|100015", "", {invalid_request, "missing_parameter"}},
    {"bailian/parameter", Family::bailian, kAll,
     "100005|100012|100018|100022|100024|100025|100035|100202|14003*|140063", "",
     {invalid_request, "invalid_parameter"}},
    {"bailian/json", Family::bailian, kAll, "100201", "", {invalid_request, "malformed_json"}},
    {"bailian/model", Family::bailian, kAll, "100019", "", {provider_unavailable, "model_not_found"}},
    {"bailian/credits", Family::bailian, kAll, "100011", "", {quota_insufficient, "credits"}},
    {"bailian/rate", Family::bailian, kAll, "100002|200002", "", {rate_limited, "rate"}},
    {"bailian/timeout", Family::bailian, kAll, "100013|200004", "", {temporary, "upstream_timeout"}},
    {"bailian/internal", Family::bailian, kAll,
     "100000|100014|100020|100027|170011|200001", "", {temporary, "server_error"}},

    // Coze: 4xxx.
    {"coze/key", Family::coze, kAll, "4100|700012006", "", {auth_failure, "invalid_token"}},
    {"coze/permission", Family::coze, kAll, "4101|4200", "", {auth_failure, "permission"}},
    {"coze/quota", Family::coze, kAll, "4027|4028|4008|4011", "", {quota_insufficient, "plan_quota"}},
    {"coze/rate", Family::coze, kAll, "4013|4009", "", {rate_limited, "rate"}},
    {"coze/parameter", Family::coze, kAll, "4000|4001", "", {invalid_request, "invalid_parameter"}},
    {"coze/unpublished", Family::coze, kAll, "4015", "", {provider_unavailable, "not_published"}},
    {"coze/internal", Family::coze, kAll, "5000", "", {temporary, "server_error"}},

    // iFlow.
    {"iflow/key", Family::iflow, kAll, "90402|90401", "", {auth_failure, "invalid_key"}},
    {"iflow/credits", Family::iflow, kAll, "60400", "", {quota_insufficient, "credits"}},
    {"iflow/rate", Family::iflow, kAll, "40303", "", {rate_limited, "rate"}},

    // Volcengine Ark: one code for a queue, a free trial and a plan.
    {"volcengine/trial", Family::volcengine, kAll,
     "QuotaExceeded", "free trial", {quota_insufficient, "free_tier_exhausted"}},
    {"volcengine/plan_window", Family::volcengine, kAll,
     "QuotaExceeded", "usage quota", {quota_insufficient, "plan_window"}},
    {"volcengine/queue", Family::volcengine, kAll, "QuotaExceeded", "", {rate_limited, "queue_limit"}},

    // DashScope: one code for the minute's tokens and for the free tier, and OpenAI's quota word
    // for the minute's tokens.
    {"dashscope/free_tier", Family::dashscope, kAll,
     "Throttling.AllocationQuota|AllocationQuota.FreeTierOnly", "free ",
     {quota_insufficient, "free_tier_exhausted"}},
    {"dashscope/tpm", Family::dashscope, kAll,
     "insufficient_quota|Throttling.AllocationQuota", "", {rate_limited, "tpm"}},
    {"dashscope/signature", Family::dashscope, k403,
     "AccessDenied", "policy expired", {auth_failure, "upload_credential_expired"}},
    {"dashscope/capacity", Family::dashscope, kServer, "", "capacity limits", kOverloaded},

    // xAI: codes are sentences, sentences decide.
    {"xai/usage", Family::xai, kAll, "",
     "violates usage guidelines", {content_policy, "content_input"}},
    {"xai/free_window", Family::any, kAll,
     "subscription:free-usage-exhausted", "24-hour", {quota_insufficient, "per_day_quota"}},
    {"xai/free", Family::any, kAll,
     "subscription:free-usage-exhausted", "", {quota_insufficient, "plan_quota"}},
    {"xai/credits", Family::xai, kAll, "",
     "run out of credits|used all available credits|monthly spending limit",
     {quota_insufficient, "balance"}},
    {"xai/token", Family::xai, kAll, "unauthenticated*", "", {auth_failure, "invalid_token"}},

    // Moonshot: one type for closed accounts and for memberships.
    {"moonshot/client", Family::moonshot, kAll,
     "access_terminated_error", "only available for", {auth_failure, "client_not_allowed"}},
    {"moonshot/membership", Family::moonshot, k402,
     "access_terminated_error", "", {quota_insufficient, "plan_expired"}},
    {"moonshot/account", Family::moonshot, kAll,
     "access_terminated_error", "", {auth_failure, "account_disabled"}},
    {"moonshot/plan_window", Family::moonshot, kAll,
     "rate_limit_reached_error", "usage limit", {quota_insufficient, "plan_window"}},
    {"moonshot/shared", Family::moonshot, kAll,
     "rate_limit_reached_error|engine_overloaded_error", "receiving too many requests",
     {rate_limited, "shared"}},

    // Relays of the one-api line: a channel is their word for an upstream.
    {"relay/saturated", Family::relay, kAll,
     "rate_limit_exceeded", "上游负载已饱和", {rate_limited, "upstream"}},
    {"relay/upstream_balance", Family::relay, kAll,
     "insufficient_quota", "上游负载已饱和", {quota_insufficient, "upstream_balance"}},

    // new-api's own words for what is wrong with its channels; relays pass them on.
    {"relay/no_channel", Family::any, kAll,
     "get_channel_failed|channel:no_available_key|channel:model_mapped_error|"
     "*_override_invalid", "", {provider_unavailable, "no_channel"}},
    {"relay/channel_key", Family::any, kAll, "channel:invalid_key", "", {auth_failure, "upstream_auth"}},
    {"relay/channel_slow", Family::any, kAll,
     "channel:response_time_exceeded", "", {temporary, "upstream_timeout"}},
    {"relay/upstream_key", Family::relay, k401,
     "bad_response_status_code|upstream_error", "", {auth_failure, "upstream_auth"}},
    {"relay/upstream_failed", Family::relay, k500 | k502,
     "bad_response_status_code", "", {temporary, "upstream"}},

    // OpenRouter.
    {"openrouter/upstream_failed", Family::openrouter, k500 | k502, "",
     "provider returned error", {temporary, "upstream"}},
    {"openrouter/free_day", Family::openrouter, kAll, "",
     "free-models-per-day", {quota_insufficient, "per_day_quota"}},
    {"openrouter/demand", Family::openrouter, k429, "", "limit_rpm", {rate_limited, "rpm", Scope::model}},
    {"openrouter/free_minute", Family::openrouter, kAll, "",
     "free-models-per-min", {rate_limited, "rpm"}},
    {"openrouter/moderation", Family::openrouter, k403, "",
     "requires moderation", {content_policy, "content_input"}},
    {"openrouter/upstream_balance", Family::openrouter, kAll, "",
     "insufficient balance", {quota_insufficient, "upstream_balance"}},
    {"openrouter/upstream_rate", Family::openrouter, kAll, "",
     "rate-limited upstream", {rate_limited, "upstream"}},
    {"openrouter/no_endpoint", Family::any, k404 | k400 | k503 | k2xx, "",
     "no endpoints found|no endpoints for|no endpoints available|"
     "no allowed providers", {provider_unavailable, "no_endpoint"}},

    // Google: MODEL_CAPACITY_EXHAUSTED is the server's trouble, VALIDATION_REQUIRED the account's.
    {"google/capacity", Family::any, kAll, "MODEL_CAPACITY_EXHAUSTED", "", {temporary, "capacity"}},
    {"google/validation", Family::any, kAll,
     "VALIDATION_REQUIRED", "", {auth_failure, "account_validation"}},
    {"google/credits", Family::any, kAll,
     "INSUFFICIENT_G1_CREDITS_BALANCE", "", {quota_insufficient, "balance"}},
    {"google/quota", Family::google, kAll, "QUOTA_EXHAUSTED", "", {quota_insufficient, "plan_quota"}},
    {"google/rate", Family::google, kAll, "RATE_LIMIT_EXCEEDED", "", {rate_limited, "generic"}},
    {"google/plan", Family::google, k429, "",
     "exhausted your capacity on this model", {quota_insufficient, "plan_quota"}},
};
// clang-format on
constexpr auto kPacked = packed<kRules>();

}  // namespace

Rules provider_rules() { return Rules(kPacked); }

}  // namespace shunt::classify
