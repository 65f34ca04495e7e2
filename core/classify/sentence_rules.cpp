// Sentences, each only where the status (or the word beside it) allows it, because prompts are
// echoed in errors; behind them the
// general words that a sentence may refine: invalid_request_error, rate_limit_error, server_error.
#include "classify/rule_pack.h"
#include "classify/rules.h"
#include "classify/rulings.h"

namespace shunt::classify {
namespace {

using enum ErrorClass;

// One request larger than the minute's tokens: waiting cannot help it, another line can.
constexpr Ruling kTooLargeForMinute{rate_limited, "request_too_large_tpm", Scope::request, false, true,
                                    Penalty::none};

constexpr Statuses kLimit = k429 | k2xx | kCaller | k403 | k503;
constexpr Statuses kKey = k401 | k403 | k400 | k2xx | k429;
constexpr Statuses kNotTimeout = kAll ^ k408;
constexpr Statuses kRate = kAll ^ (k400 | k401 | k402 | k404);
constexpr std::string_view kRateWords =
    "rate_limit*|RateLimit*|Throttling*|requests|tokens|too_many_requests*|TooManyRequests*|429|RESOURCE_"
    "EXHAUSTED";

// clang-format off: one row, one or a few lines
constexpr Rule kRules[] = {
    // Content.
    {"say/output_blocked", Family::any, kCaller | k403 | k2xx | k500, "",
     "output blocked by content|blocked output|generated image(s) has been blocked|"
     "response blocked|generated images contained|post img risk|output data may contain|审核不通过，请重试|生成图片|"
     "输出内容涉敏",
     {content_policy, "content_output"}},
    {"say/content", Family::any, kCaller | k403 | k2xx | k500 | k404, "",
     "content exists risk|result of our safety system|risk not pass|"
     "considered high risk|rejected by the safety system|content management policy|"
     "may contain inappropriate content|contains sensitive information|"
     "contains sensitive words that violate|responsible ai practices|"
     "input is not safe|failed the safety check|content moderation|moderation filter|safety filter|"
     "nsfw content|flagged as|flagged by|violates the content policy|usage guidelines|was flagged for|"
     "request was flagged|prompt was flagged|content was flagged|input was flagged|blocked input|"
     "prohibited use policy|"
     "new_sensitive|敏感|内容审核|违规内容|不安全内容|sensitive words detected|blocked by moderation|"
     "content policy violation|信息违规|违规信息|moderation failed|blocked due to security",
     {content_policy, "content_input"}},

    // Context.
    {"say/context", Family::any, kCaller | k403 | k500 | k2xx, "",
     "exceed context limit|prompt is too long|input is too long|context window|"
     "context length|exceeds the available context|context size|exceeded model token limit|"
     "exceeds the maximum number of tokens|too many tokens: |is too large to process|"
     "reduce the length of the messages|must have less than|tokens + # must be <=|prompt tokens too long|"
     "max input characters|range of input length|too large for model with|超过上限。对话|最大上下文|上下文长度|输入过长|"
     "input token count|tokens exceed|context too long|maximum model length|input token limit exceeded|"
     "input token length|tokens in the prompt cannot exceed|tokens per submitted batch|allowed input length|"
     "maximum input length|maximum prompt length|prompt token count|tokens) exceeds the|"
     "maximum context|prompt too long|>= n_ctx|model input length limit", kContext},

    // Long windows and money, before the words for rates: many send both.
    {"say/too_large_minute", Family::any, k413 | k429 | k400, "",
     "request too large for", kTooLargeForMinute},
    // Several windows told at once: the minute's is the one that was hit.
    {"say/hit_minute", Family::any, k429, "",
     "hit token rate limit. minute", {rate_limited, "tpm"}},
    {"say/not_in_plan", Family::any, k429, "",
     "limit: 0,|limit: 0 ", {quota_insufficient, "not_in_plan", Scope::deployment}},
    {"say/entitlement", Family::any, k400 | k429 | k403 | k402 | k404, "",
     "credits are required for|extra usage is required|requires a subscription|not available on the free|"
     "for this subscription|no active subscription|out of extra usage",
     {quota_insufficient, "entitlement", Scope::deployment}},
    {"say/daily_neurons", Family::any, kLimit, "",
     "daily free allocation|today's quota|今日调用|per-day|tpd|rpd|"
     "daily limit|daily quota|daily usage|daily task limit|per day|rolling 24-hour|每日|当日|当天|"
     "userbymodelbyday|error code: 1027",
     {quota_insufficient, "per_day_quota"}},
    {"say/monthly", Family::any, kLimit | k402, "",
     "monthly included credits|monthly request limit|monthly api limit|monthly limit|per month|"
     "monthly quota|/ month|本月|plan for this month", {quota_insufficient, "per_month_quota"}},
    {"say/plan_window", Family::any, kLimit | k402, "",
     "weekly usage limit|weekly rate limit|weekly quota|7-day rate limit|5-hour|usage limit reached|"
     "usage limit for this period|"
     "hit your usage limit|reached your usage limit|weekly limit|session limit|hourly limit|per hour|"
     "hourly usage limit|rph limit|每周|使用上限|用量上限|usage limit exceeded|usage limits exceeded|"
     "usage exceeds limit", {quota_insufficient, "plan_window"}},
    {"say/budget", Family::any, kLimit, "",
     "api usage limits|spending cap|key limit exceeded|exceeded its usage limit|billing hard limit|"
     "spending limit|spend limit|budget has been exceeded|exceeded budget|over budget",
     {quota_insufficient, "budget_cap"}},
    {"say/arrears", Family::any, kAll, "",
     "欠费|overdue|in good standing|arrears", {quota_insufficient, "arrears"}},
    {"say/token_quota", Family::any, k401 | k403 | k429, "",
     "令牌额度|token quota exceeded|token quota is not enough|token quota exhausted",
     {quota_insufficient, "token_quota"}},
    {"say/credits", Family::any, k2xx, "",
     "积分不足|insufficient credits|无可用额度", {quota_insufficient, "credits"}},
    {"say/upstream_balance", Family::relay, k500, "",
     "insufficient balance|insufficient_quota", {quota_insufficient, "upstream_balance"}},
    {"say/balance", Family::any, kNotTimeout, "",
     "insufficient balance|insufficient account balance|credit limit is insufficient|pre-deduct|"
     "preconsumedquota|余额不足|balance is insufficient|lack sufficient credits|not have enough credits|"
     "insufficient credits|exhausted balance|credit balance is too low|insufficient usd|"
     "user quota is not enough|额度不足|negative credit balance|insufficient funds|out of credits|"
     "no resource package|suspended due to insufficient|top up|have any credits|enough balance|"
     "credits not enough|credits exhausted|预扣费额度失败|monthly spending limit or failure to pay",
     {quota_insufficient, "balance"}},
    {"say/plan_expired", Family::any, k401 | k402 | k403 | k429, "",
     "subscription has expired|subscription expired|套餐已|订阅已|续费", {quota_insufficient, "plan_expired"}},
    {"say/free_trial", Family::any, kLimit, "",
     "free trial quota|free quota|free tier of the model|free allocated quota|free tier quota",
     {quota_insufficient, "free_tier_exhausted"}},
    {"say/billing", Family::any, k402 | k403 | k401, "",
     "payment method|update your payment|payment required", {quota_insufficient, "billing"}},

    // Server's trouble sent as anything.
    {"say/capacity", Family::any, kAll, "",
     "at capacity|no more data centers|no capacity available|over capacity|capacity exceeded|"
     "capacity temporarily exceeded|"
     "experiencing high traffic|not enough capacity|out of capacity|at maximum capacity",
     {temporary, "capacity"}},
    {"say/overloaded", Family::any, k400 | k429 | k2xx | kServer, "",
     "overloaded|under too much load|really busy|high demand|system is throttling|getting throttled|"
     "too busy|reset reason: overflow|resouce cluster|resource cluster|访问量过大|系统过载|请求量过高|"
     "capacity limits", kOverloaded},
    {"say/loading", Family::any, kServer | k429 | k400, "",
     "currently loading|loading model|model is loading|llama runner to start|is not ready|"
     "model unloaded|model is unloaded", {temporary, "model_loading"}},
    {"say/maintenance", Family::any, kServer | k400 | k429 | k2xx, "",
     "undergoing maintenance|under maintenance|维护中|系统维护", {temporary, "maintenance"}},
    {"say/crashed", Family::any, kServer | k400, "",
     "model has crashed|degraded function", {temporary, "model_error"}},
    {"say/busy", Family::any, kServer | k2xx | k429, "",
     "server busy|model busy|queue is full|maximum queue size|系统繁忙|服务忙|服务繁忙|负载较高|server is busy|"
     "service is busy|service busy",
     {temporary, "server_busy"}},

    // Keys and accounts.
    {"say/missing_key", Family::any, k401 | k403 | k429 | k2xx, "",
     "didn't provide an api key|no api key|authorization is empty|auth credentials found|未提供令牌|"
     "please log in or use|api key is required|missing api key|missing authorization|carry the api secret|"
     "no access token|passed as a header|missing or invalid authorization|authorization header must|"
     "token not provided|authentication key is required|no authentication provided|未提供 access|"
     "missing subscription key|missing authentication token|api-key header",
     {auth_failure, "missing_key"}},
    {"say/leaked", Family::any, k403 | k401, "", "reported as leaked", {auth_failure, "leaked_key"}},
    {"say/key_disabled", Family::any, k401 | k403, "",
     "令牌状态不可用|key is disabled|key has been disabled|令牌已被禁用|令牌已禁用", {auth_failure, "key_disabled"}},
    {"say/token", Family::any, k401 | k403 | k2xx, "", "invalid token", {auth_failure, "invalid_key"}},
    {"say/key", Family::any, kKey, "",
     "incorrect api key|invalid api key|invalid x-api-key|invalid api-key|invalid api token|"
     "api key not valid|api key is invalid|invalid credentials|无效的令牌|令牌验证失败|身份验证失败|check the api-key|"
     "api key appears to be invalid|令牌认证失败|invalid authentication|"
     "api key not found|format for authorization|valid authentication token|api key 无效|verify failed",
     {auth_failure, "invalid_key"}},
    {"say/expired", Family::any, k401 | k403, "",
     "token has expired|token expired|is expired|已过期", {auth_failure, "expired_token"}},
    {"say/clock", Family::any, k403 | k401, "",
     "signature expired|signature not yet current", {auth_failure, "clock_skew"}},
    {"say/client", Family::any, k400 | k401 | k403, "",
     "only authorized for use with|only codex clients|does not allow the current client",
     {auth_failure, "client_not_allowed"}},
    {"say/oauth", Family::any, k400 | k401, "", "invalid_grant|oauth token", {auth_failure, "oauth"}},
    {"say/region", Family::any, kCaller | k403 | k404, "",
     "location is not supported|not available in your country|country, region|region is not supported|"
     "not available in your region|in this region|unsupported region", {auth_failure, "region"}},
    {"say/verification", Family::any, k403 | k400 | k404, "",
     "organization must be verified|verify organization",
     {auth_failure, "verification", Scope::deployment}},
    {"say/network_rule", Family::any, k403, "",
     "virtual network/firewall|指定网段|ip whitelist|ip address is not allowed|"
     "not allowed to access from this ip", {auth_failure, "network_rule"}},
    {"say/account", Family::any, kCaller | k401 | k403 | k429 | k2xx, "",
     "organization has been disabled|has been restricted|has been suspended|account is not active|"
     "has been deactivated|account is deactivated|invalid account|verify your account|"
     "disabled in this account|has been banned|已被封禁|账号已被|帐号已被|"
     "account has been blocked|账户已被锁定|operation not allowed|account exception|account is suspended|"
     "member of an organization|access has been disabled|user has been disabled",
     {auth_failure, "account"}},
    {"say/service_disabled", Family::any, k403, "",
     "has not been used in project|it is disabled. enable it", {auth_failure, "service_disabled"}},
    {"say/key_restriction", Family::any, k403, "", "are blocked.", {auth_failure, "key_restriction"}},
    {"say/network", Family::any, k403, "",
     "check your network settings", {auth_failure, "blocked_network"}},
    {"say/model_too_large", Family::any, k403 | k500 | k400, "",
     "too large to be loaded|requires more system memory|"
     "insufficient system resources", {provider_unavailable, "model_too_large"}},
    {"say/no_channel", Family::any, k403 | k503 | k500 | k2xx, "",
     "无可用渠道：模型", {provider_unavailable, "model_not_found"}},
    {"say/channels", Family::any, k400 | k403 | k404 | k503 | k500 | k2xx, "",
     "无可用渠道|无效的渠道|no keys found for|渠道已被禁用|no available channel|no channel available|no available account|"
     "accounts exhausted|by any configured account|no credentials for|compatible accounts",
     {provider_unavailable, "no_channel"}},
    {"say/model_permission", Family::any, k403 | k401, "",
     "无权使用|无权访问模型|无权访问任何模型|model access is not allowed|not allowed to access this model|"
     "access to the model|access to model|permission to access model|"
     "to access this model|no access to model|no access to any model|not allowed to sample from this model|"
     "not allowed to generate embeddings from this model",
     kModelPermission},

    {"say/not_activated", Family::any, kCaller | k403 | k404, "",
     "product is not activated|service is not activated|未开通", {provider_unavailable, "not_activated"}},
    {"say/stale", Family::any, k404, "",
     "file #|no file|file-|no such file|conversation not|thread #|no thread|response with id|"
     "previous response|item with id|run with id|vector store|could not find fine tune|run step found|"
     "has no available results|generation not found|find a task|no messages found|connector # not found|"
     "dataset with id|media could not be|no character could",
     {invalid_request, "stale_reference"}},
    {"say/stale_cache", Family::google, k403, "",
     "cachedcontent not found", {invalid_request, "stale_reference"}},
    // Models that are not there; before invalid_request_error, which many of them carry.
    {"say/deprecated", Family::any, kCaller | k404, "",
     "has been decommissioned|has been deprecated|no longer supported|no longer available|"
     "has been retired|stealth model|has been discontinued|its end of life|was removed on|"
     "was deprecated on|by provider as legacy|已下线|已下架",
     {provider_unavailable, "model_deprecated"}},
    {"say/model", Family::any, kCaller | k404 | k2xx | k500 | k503, "",
     "model not exist|model does not exist|# model is not supported|incorrect model id|"
     "requested model is not|requested model is unsupported|requested model is unavailable|"
     "model not supported|unsupported model|model unavailable|not available for your|"
     "invalid model|no provider supported|publisher model|"
     "model # does not exist|"
     "model # not found|is not found for api version|not a valid model id|unable to access model|"
     "specified version does not exist|no such model|check the model you provided|"
     "requested model # could not be found|not found the model|模型不存在|不支持的模型|unknown model|model not found|"
     "supported api model names are|supported models are|model or endpoint|model is not found|"
     "model identifier is invalid|end of its life|throughput isn|specified function in account|"
     "model # is not supported|模型名称错误|not support the model|does not exist or you do not have access|"
     "not found for account|not served by this|not supported by provider|"
     "not supported by any provider",
     {provider_unavailable, "model_not_found"}},
    {"say/unknown_provider", Family::any, k400 | k500 | k502, "",
     "unknown provider for model", {provider_unavailable, "model_not_found"}},
    {"say/model_404", Family::any, k404, "",
     "model: |the model |application ", {provider_unavailable, "model_not_found"}},
    {"say/no_provider", Family::any, k503 | k404, "",
     "no available model provider|unavailable for free", {provider_unavailable, "no_endpoint"}},
    {"say/wrong_path", Family::any, k404 | k400 | k2xx, "",
     "invalid url|unexpected endpoint or method|request path|does not work with the specified model|"
     "only supported in v1/|not supported on this endpoint|api instead|url error, please check|"
     "not a chat model|is a chat model",
     {invalid_request, "wrong_endpoint"}},
    {"say/html_path", Family::any, k404, "",
     "was not found on this server", {invalid_request, "wrong_endpoint"}},

    // Limits of the caller.
    {"say/burst", Family::any, kCaller | k429, "",
     "rate increased too quickly", {rate_limited, "burst"}},
    {"say/ip_reputation", Family::any, k429 | k503, "",
     "automated queries", {rate_limited, "ip_reputation"}},
    {"say/local_limit", Family::any, k429 | k503, "",
     "upstream error: 429|上游负载已饱和|upstream rate limit|upstream load is saturated|官方限速|all keys cooling",
     {rate_limited, "upstream"}},
    {"say/upstream_limit", Family::relay, k429,
     "bad_response_status_code|upstream_error", "", {rate_limited, "upstream"}},
    {"say/embedded_upstream", Family::any, k429,
     "429", "resource has been exhausted", {rate_limited, "upstream"}},
    {"say/too_many_tasks", Family::any, k429 | k2xx | k503, "",
     "concurren|max parallel request|active tasks|in-flight|userconcurrentrequests|并发|"
     "pending requests, please|"
     "simultaneous", {rate_limited, "concurrency"}},
    {"say/model_limit", Family::any, k429, "", "model rate limit exceeded", {rate_limited, "model"}},
    {"say/account_quota", Family::any, k429, "",
     "exceeding the account quotas", {rate_limited, "account_quota"}},
    {"say/requests_minute", Family::any, kLimit, "",
     "number of requests has exceeded", {rate_limited, "rpm"}},
    {"say/tpm", Family::any, kLimit, "",
     "tokens per min|(tpm)|token limit is exceeded|limit type: tokens|tpm limit|tpm rate|"
     "request tokens has exceeded|"
     "token rate limit|too many tokens, please|input_token_count|input_tokens_per|"
     "input tokens per m|max tpm|per-minute rate limit|rate limit reached for tpm", {rate_limited, "tpm"}},
    {"say/qps", Family::any, kLimit, "", "qps|每秒|per second", {rate_limited, "qps"}},
    {"say/rpm", Family::any, kLimit, "",
     "(rpm)|rpm limit|requests rate limit|request limit: maximum|per minute request|"
     "reduced rate limits of|call rate limit|"
     "free_tier_requests|requests per m|/ minute|max rpm|queries per minute|分钟内最多|rate limit reached for|"
     "online_prediction_requests|too many requests, please|rate limit of|rate limit for|请求频率|请求过于频繁|"
     "rate_limit_requests|max request: |request rate limit|rate limit is exceeded", {rate_limited, "rpm"}},
    {"say/shared", Family::google, k429, "",
     "resource exhausted. please try again later", {rate_limited, "shared_quota"}},
    {"say/quota_exceeded", Family::any, k429 | k402 | k403, "",
     "exceeded your current quota|current usage quota|quota exceeded|quota was exceeded|"
     "exceeded current quota|out of call volume quota|quota reached|quota exhausted|quota has been reached|"
     "quota has been exhausted|out of quota",
     {quota_insufficient, "plan_quota"}},
    {"say/rate", Family::any, k2xx | kCaller | k403 | k503, "",
     "限流|频繁|rate limit reached|rate limit error|rate limit exceeded|too many requests|rate_limited",
     {rate_limited, "rate"}},

    // The caller's request, by what is wrong with it.
    {"say/max_tokens", Family::any, kCaller, "",
     "max_tokens|max_output_tokens|max_completion_tokens|maximum tokens you requested|# max_tokens",
     {invalid_request, "max_tokens"}},
    {"say/image_size", Family::any, kCaller, "", "image exceeds", {invalid_request, "image_too_large"}},
    {"say/image", Family::any, kCaller | k2xx, "",
     "decode the image|image format error|read image error|could not process image|user input frames|"
     "unable to process input image|unable to process image|invalid image|image file is corrupt|"
     "image dimensions", {invalid_request, "invalid_image"}},
    {"say/image_url", Family::any, kCaller, "",
     "of multimodal url", {invalid_request, "invalid_image_url"}},
    {"say/file_size", Family::any, kCaller | k429, "",
     "size is larger|message larger than max|limit on max bytes|size is too large|"
     "exceeds the maximum size|payload too large|"
     "request body too large|文件大小",
     {invalid_request, "payload_too_large"}},
    {"say/field", Family::any, kCaller, "",
     "payload received. unknown name|missing or invalid", {invalid_request, "invalid_parameter"}},
    {"say/json", Family::any, kCaller | k500, "",
     "input json error|body format|requires json|parse error|looking for beginning of|not valid json|"
     "missing request body|read request body|request body is empty|invalid json|"
     "could not parse|failed to parse json|failed to parse request", {invalid_request, "malformed_json"}},
    {"say/stream_only", Family::any, kCaller, "",
     "only support stream", {invalid_request, "stream_required"}},
    {"say/file_format", Family::any, kCaller, "",
     "format is not supported", {invalid_request, "unsupported_file"}},
    {"say/files", Family::any, kCaller, "", "max file count", {invalid_request, "file_count"}},
    {"say/user_api", Family::any, kCaller | k403, "",
     "current user api does not support", {invalid_request, "unsupported_operation"}},
    {"say/unsupported", Family::any, kCaller | k404 | k500, "",
     "does not support enable|support the parameter|call is not supported|"
     "not supported with this model|not supported in this model|does not support parameter|"
     "does not support effort|does not support the effort|does not support thinking|"
     "does not support tools|input is not supported|does not support function|"
     "cannot use tools with stream|cannot use both|"
     "requires --|"
     "argument not supported|unsupported parameter|unsupported value|not supported on this model|"
     "single tool-calls|response_format type must be",
     {invalid_request, "unsupported_parameter"}},
    {"say/missing", Family::any, kCaller | k2xx, "",
     "you must provide|a required field|must exist and|missing required|field required|is required|"
     "required parameter|missing parameter|request is missing|bad request: missing|不能为空",
     {invalid_request, "missing_parameter"}},
    {"say/scheme", Family::any, k400, "",
     "plain http request was sent", {invalid_request, "wrong_scheme"}},

    // A server's trouble that a relay sends as the caller's.
    {"say/server", Family::any, kCaller, "",
     "server unavailable|service unavailable|temporarily unavailable|internal server error|bad gateway|"
     "gateway timeout", {temporary, "upstream"}},

    {"say/permission", Family::any, k403 | k2xx, "",
     "insufficient permission|not have permission|权限不足", {auth_failure, "permission"}},
    // Pages of proxies and edges.
    {"say/waf", Family::any, k403 | k503, "",
     "just a moment|attention required|enable javascript and cookies", {auth_failure, "challenge"}},
    {"say/waf_block", Family::any, k403, "",
     "request could not be satisfied|request blocked|has been blocked|access denied by",
     {auth_failure, "waf_block"}},
    {"say/upstream_reset", Family::any, k502 | k503, "",
     "connection timeout|max stream duration|first byte timeout|"
     "522: connection timed out", {temporary, "upstream_timeout", Scope::provider}},
    {"say/upstream_connect", Family::any, k503 | k500, "",
     "upstream connect error|no such host|connection refused|connect: |close 1006",
     {temporary, "upstream_connection", Scope::provider}},
    {"say/deadline_400", Family::any, k400, "",
     "operation timed out|request timed out|upstream timed out", {temporary, "upstream_timeout"}},
    {"say/deadline", Family::any, k500 | k503 | k2xx, "",
     "deadline exceeded|timed out|request timeout|processing timeout|任务超时|请求调用超时|"
     "awaiting headers",
     {temporary, "upstream_timeout"}},

    // What is refused for its content, in whose words ever.
    {"general/content", Family::any, kCaller | k403 | k2xx, "",
     "moderation |inappropriate|prohibited content|content polic|content filters|usage polic|"
     "safety filter|safety check|safety polic|sensitive request|not comply with green|may violate|"
     "not compliant|nsfw|copyright|real person|违规|审核未|"
     "审核不|审核失败|敏感|"
     "安全策略|内容安全|不合规",
     {content_policy, "content_input"}},
    {"general/daily", Family::any, k403 | k429 | k2xx, "",
     "daily|今日", {quota_insufficient, "per_day_quota"}},
    // Money is spoken of where access or a rate is refused: it is what is missing.
    {"general/money", Family::any, k401 | k403 | k404, "",
     "credits|balance |billing|payment|spending|quota has|quota is|quota limit|no quota|"
     "quota insufficient|额度|余额|充值",
     {quota_insufficient, "balance"}},
    {"general/model_404", Family::any, k404, "",
     "model|模型", {provider_unavailable, "model_not_found"}},
    {"general/money_429", Family::any, k429, "",
     "credits|spending|余额|充值|额度已", {quota_insufficient, "balance"}},
    {"general/usage_429", Family::any, k429 | k402, "",
     "usage limit|usage quota|upgrade your subscription",
     {quota_insufficient, "plan_window"}},
    // General words, now that nothing more telling was said.
    {"general/rate", Family::any, kRate, kRateWords, "", {rate_limited, "generic"}},
    {"general/rate_400", Family::any, k400,
     "rate_limit_error|rate_limit_exceeded|Throttling*|TooManyRequestsException|RateLimitError", "",
     {rate_limited, "generic"}},
    {"general/key", Family::any, kAll,
     "authentication_error|UNAUTHENTICATED|unauthorized", "key not authorised|not authorized for",
     {auth_failure, "permission"}},
    {"general/auth", Family::any, kAll,
     "authentication_error|UNAUTHENTICATED", "", {auth_failure, "invalid_key"}},
    {"general/permission", Family::any, kAll,
     "permission_error|PERMISSION_DENIED|AccessDenied|permission-denied|access_denied|forbidden|"
     "forbidden_error", "",
     {auth_failure, "permission"}},
    {"general/parameter", Family::any, kAll,
     "InvalidParameter*|invalid_parameter*|invalid_value|BadRequestError|InvalidArgument*|"
     "ValidationException|validation|invalid_request_argument*|InvalidRequestArgumentError|"
     "extra_forbidden|string_type|*_above_max*|*_below_min*|invalid-argument|INVALID_ARGUMENT|"
     "template_error",
     "", {invalid_request, "invalid_parameter"}},
    {"general/internal_400", Family::any, k400,
     "InternalError|InternalServerError|internal_error|server_error", "", {temporary, "server_error"}},
    {"general/request", Family::any, k2xx | k400 | k422,
     "invalid_request_error|invalid_request|BadRequest|invalid_message|precondition_failed|unprocessable|"
     "string_too_long", "",
     {invalid_request, "invalid_parameter"}},
    // A Google operation that failed tells its code by google.rpc's number.
    {"google/argument", Family::google, k2xx, "3|9|11", "", {invalid_request, "invalid_parameter"}},
    {"google/exhausted", Family::google, k2xx, "8", "", {rate_limited, "generic"}},
    {"google/server", Family::google, k2xx, "2|4|10|13|14", "", {temporary, "server_error"}},
    {"general/in_stream", Family::any, k2xx | kServer, "form:sse", "", {temporary, "stream_error"}},
    {"general/limit_200", Family::any, k2xx, "quota_exceeded", "", {quota_insufficient, "plan_quota"}},
    {"general/parameter_200", Family::any, k2xx, "",
     "invalid parameter|invalid request|invalid input|parameter value|parameter error|parameter type|"
     "empty parameter|image size|media url|参数",
     {invalid_request, "invalid_parameter"}},
    {"general/server_200", Family::any, k2xx, "",
     "internal error|internal server|unavailable|try again later|稍后|系统异常|系统错误|内部错误|服务异常",
     {temporary, "server_error"}},
    {"general/broken_finish", Family::any, k2xx | k502, "error", "", {temporary, "stream_error"}},
    {"general/sent_200", Family::any, k2xx,
     "InternalError*|server_error|api_error|internal_error|INTERNAL*|error|FailedOperation*|failed|"
     "failure|fail",
     "", {temporary, "server_error"}},
};
// clang-format on
constexpr auto kPacked = packed<kRules>();

}  // namespace

Rules sentence_rules() { return Rules(kPacked); }

}  // namespace shunt::classify
