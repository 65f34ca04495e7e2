// Machine words that mean the same whoever sends them: error codes, types and reasons, AWS
// exceptions, finish reasons.
#include "classify/rule_pack.h"
#include "classify/rules.h"
#include "classify/rulings.h"

namespace shunt::classify {
namespace {

using enum ErrorClass;

// clang-format off: one row, one or a few lines
constexpr Rule kRules[] = {
    // Content: the words are unambiguous, the status is not (400, 403, 422, 500 behind relays, 200).
    {"word/copyright", Family::any, kAll,
     "*SensitiveContentDetected.PolicyViolation|IPInfringementSuspect|*copyright*", "",
     {content_policy, "copyright"}},
    {"word/output_moderated", Family::any, kAll,
     "Output*SensitiveContent*|Output*RiskDetection|OutputTextSensitive*|OutputImageSensitive*|"
     "OutputVideoSensitive*|CreationPolicyViolation|SAFETY.OUTPUT*|content moderated|"
     "image_generation_failed|channel:image_generation_failed",
     "", {content_policy, "content_output"}},
    {"word/real_person", Family::any, kAll,
     "*SensitiveContentDetected.PrivacyInformation", "", {content_policy, "content_input"}},
    {"word/output_sensitive", Family::any, kAll,
     "FailedOperation.GenerateImageFailed|AIAE.31001602", "", {content_policy, "content_output"}},
    {"word/inspection_download", Family::any, kAll,
     "InvalidParameter.DataInspection", "unable to download", {invalid_request, "input_download"}},
    {"word/input_or_output", Family::any, kAll,
     "datainspectionfailed|data_inspection_failed", "input or output",
     {content_policy, "content_input_or_output"}},
    {"word/inspection_output", Family::any, kAll,
     "datainspectionfailed|data_inspection_failed", "output data", {content_policy, "content_output"}},
    {"word/custom_rule", Family::any, kAll,
     "FaqRuleBlocked|CustomRoleBlocked", "", {content_policy, "custom_rule"}},
    {"word/cyber_policy", Family::any, kAll, "cyber_policy", "", {content_policy, "cyber_policy"}},
    {"word/either_high_risk", Family::any, kAll,
     "content_filter", "considered high risk", {content_policy, "content_input_or_output"}},
    {"word/finish_filtered", Family::any, k2xx,
     "content_filter|safety|image_safety|prohibited_content|image_prohibited_content|blocklist|spii|"
     "sensitive|refusal|"
     "guardrail_intervened|content_filtered|ERROR_TOXIC",
     "", {content_policy, "content_output"}},
    {"word/refusal", Family::any, k400, "refusal", "", {content_policy, "content_output"}},
    {"word/recitation", Family::any, kAll,
     "recitation|image_recitation", "", {content_policy, "content_recitation"}},
    {"word/content_input", Family::any, kAll,
     "*policy_violation|*UNSAFE_GENERATION|content_filter|contentFilter|content_filtered_error|"
     "content_filtered|*datainspection*|data_inspection_failed|sensitive_words_detected|"
     "moderation_blocked|content_moderation|ResponsibleAIPolicyViolation|*SensitiveContent*|"
     "*RiskDetection|*IllegalDetected|AuditSubmitIllegal|*SAFETY.*|*.SAFETY|SAFETY|request moderated|"
     "block:*|invalid_prompt|content_policy|prompt_blocked|*Moderation*|*PolicyViolation*|"
     "censorship_blocked|hooks_failed|unsafe_request|ILLEGAL_PROMPT|ILLEGAL_*CONTENT|"
     "IllegalImage|PROMPT_THREAT*|invalidProviderContent|violation_fee.*|safety_check_failed",
     "", {content_policy, "content_input"}},

    // What headers say (classify puts it into `reason`).
    {"word/challenge", Family::any, kAll, "cf_challenge", "", {auth_failure, "challenge"}},
    {"word/envoy", Family::any, kAll, "envoy_ratelimited", "", {rate_limited, "generic"}},
    {"word/unified_window", Family::any, k429,
     "unified_window_rejected", "", {quota_insufficient, "plan_window"}},

    // Context: servers report it with any status.
    {"word/context", Family::any, kAll,
     "context_length_exceeded|exceed_context_size_error|*context_window_exceeded|"
     "*context_overflow|string_above_context|invalid_request_prompt|tokens_too_long|*InputTokensExceed*|"
     "context_length|too_many_prompt_tokens|*prompt_tokens_exceeded|tokens_limit_reached|OutofContextError|"
     "too_many_tokens|ERROR_LIMIT",
     "", kContext},

    // Said by the host in place of a provider: it was not asked, because it takes the caller's own key.
    {"word/own_key", Family::any, k401,
     "shunt_own_key_missing", "",
     {invalid_request, "own_key", Scope::request, false, true, Penalty::none}},

    // Keys, accounts, permissions.
    {"word/missing_key", Family::any, kAll,
     "api_key_empty|missing_api_key|api_key_required|no_api_key|MissingAuthenticationToken*", "",
     {auth_failure, "missing_key"}},
    {"word/key_disabled", Family::any, kAll,
     "API_KEY_DISABLED|key_disabled", "", {auth_failure, "key_disabled"}},
    {"word/expired", Family::any, kAll,
     "ExpiredToken*|token_expired|expired_token|expired_api_key|expired_key|RequestExpired", "",
     {auth_failure, "expired_token"}},
    {"word/signature", Family::any, kAll,
     "AuthFailure.SignatureExpire|InvalidSignatureException|SignatureDoesNotMatch", "expire|过期",
     {auth_failure, "expired_signature"}},
    {"word/key_limit", Family::any, k401,
     "invalid_api_key", "usage limit", {quota_insufficient, "budget_cap"}},
    {"word/key", Family::any, kAll,
     "invalid_api_key|api_key_invalid|InvalidApiKey|invalid_authentication|invalid_authentication_error|"
     "invalid_credential|INVALID_API_KEY|AuthFailure.SecretId*|AuthFailure.Signature*|"
     "AuthFailure.InvalidSecretId|AIAE.31001106|AuthenticationError|InvalidSignatureException|"
     "UnrecognizedClientException|incorrect_api_key|authentication|invalid_key|token_not_found_in_db|"
     "INVALID_TOKEN|InvalidAccessKeyId*|IncompleteSignature|InvalidClientTokenId*",
     "", {auth_failure, "invalid_key"}},
    {"word/token", Family::any, kAll,
     "invalid_token|AuthFailure.TokenFailure|bad-credentials|token_invalid*", "",
     {auth_failure, "invalid_token"}},
    {"word/oauth", Family::any, kAll, "invalid_grant", "", {auth_failure, "oauth"}},
    {"word/region", Family::any, kAll,
     "unsupported_country_region_territory|region_not_supported|UnsupportedRegion", "",
     {auth_failure, "region"}},
    {"word/ip", Family::any, kAll,
     "IpInBlacklist|ip_not_allowed|*IpNotInWhitelist|ip_not_authorized|IP_BLOCKED", "",
     {auth_failure, "ip_blocked"}},
    {"word/account", Family::any, kAll,
     "account_deactivated|invalid_organization|organization_restricted|AccountNotExistError|"
     "InvalidAccountStatus|account_disabled|organization_disabled|CONSUMER_SUSPENDED|"
     "deactivated_workspace|detected_unusual_activity|USER_BANNED|account_suspended|"
     "ResourceUnavailable.Freeze|UserInBlacklist|organization_deactivated|ResourceUnavailable.StopUsing|"
     "*AccountUnSupport|API_ACCESS_DISABLED|USER_NOT_FOUND|USER_INACTIVE",
     "", {auth_failure, "account"}},
    {"word/real_name", Family::any, kAll,
     "FailedOperation.UserUnAuthError", "", {auth_failure, "real_name_required"}},
    {"word/blocked_key", Family::any, kAll,
     "API_KEY_SERVICE_BLOCKED|API_KEY_*_BLOCKED", "", {auth_failure, "key_restriction"}},
    {"word/service_disabled", Family::any, kAll,
     "SERVICE_DISABLED", "", {auth_failure, "service_disabled"}},
    {"word/workspace", Family::any, kAll,
     "WorkSpaceNotFound|invalid_workspace", "", {auth_failure, "workspace"}},
    {"word/unpurchased", Family::any, kAll,
     "AccessDenied.Unpurchased|Model.AccessDenied|model_access_denied|ModelAccessDenied|"
     "model_terms_required", "",
     {auth_failure, "model_access", Scope::deployment}},
    {"word/verification", Family::any, kAll,
     "model_not_found|unsupported_value", "must be verified",
     {auth_failure, "verification", Scope::deployment}},
    {"word/model_permission", Family::any, kAll, "*_model_access_denied|"
     "model_permission_blocked*", "", kModelPermission},
    {"word/permission_model", Family::any, k401 | k403,
     "model_not_found|permission_denied|AccessDeniedException|invalid_model",
     "permission to use|access to model|access to the model|model access|access this model",
     kModelPermission},
    {"word/provider_setup", Family::any, kAll,
     "provider_not_initialize", "", {auth_failure, "missing_key"}},
    {"word/iam", Family::any, kAll, "AIAE.22001002", "", {auth_failure, "iam"}},
    {"word/instrument", Family::any, k403,
     "AccessDeniedException", "payment_instrument", {quota_insufficient, "billing"}},
    {"word/region_said", Family::any, k403,
     "AccessDeniedException|permission_error", "unsupported countr", {auth_failure, "region"}},
    {"word/use_case", Family::any, k404,
     "ResourceNotFoundException|FTUFormNotFilled", "use case details",
     {auth_failure, "model_access", Scope::deployment}},
    {"word/permission", Family::any, kAll,
     "UnsupportedOperation.NonWhitelistAccount|OperationDenied.*Access*|invalid_appid|"
     "no_parameter_permission|"
     "NOT AUTHORIZED|"
     "PermissionDenied|PermissionDeniedError|Workspace.AccessDenied|AuthFailure.UnauthorizedOperation|"
     "AuthFailure*|UnauthorizedOperation|InvalidEndpointOrModel.ModelIDAccessDisabled|"
     "AccessDeniedException|insufficient_permissions|UnauthorizedOperation.*|missing_scope|"
     "missing_permissions|OperationDenied.PermissionDenied|NotAuthorized",
     "", {auth_failure, "permission"}},

    // Money and long windows.
    {"word/stopped_arrears", Family::any, kAll,
     "FailedOperation.ServiceStop", "欠费", {quota_insufficient, "arrears"}},
    {"word/arrears", Family::any, kAll,
     "Arrearage|PostpaidBillOverdue|PrepaidBillOverdue|AccountOverdueError|"
     "*ChargeStatusException|OperationDenied.ServiceOverdue|*InArrears|*Overdue*|"
     "ResourceInsufficient.ChargeResourceExhaust",
     "", {quota_insufficient, "arrears"}},
    {"word/budget", Family::any, kAll,
     "billing_hard_limit_reached|*budget_exceeded|*budget_reached|spend_limit_exceeded|"
     "MonthlyLimitError|blocked_api_access", "",
     {quota_insufficient, "budget_cap"}},
    {"word/spend_limit", Family::any, kAll,
     "SetLimitExceeded", "", {quota_insufficient, "spend_limit"}},
    {"word/relay_quota", Family::any, kAll,
     "insufficient_user_quota|pre_consume_token_quota_failed|*quota_not_enough", "",
     {quota_insufficient, "balance"}},
    {"word/credit_rate", Family::any, k429,
     "credit_limit", "per minute|per second", {rate_limited, "rpm"}},
    {"word/balance", Family::any, kAll,
     "*LowBalance|*insufficient_balance*|InsufficientBalance|billing_not_active|insufficient_credit*|"
     "InsufficientCredit*|credit_limit|exceeded_current_quota_error|credit*_exhausted|*CreditInsufficient|"
     "*balance_not_enough|not_enough_*|insufficient_funds|CreditsError|credits_required",
     "", {quota_insufficient, "balance"}},
    {"word/balance_state", Family::any, kAll,
     "quota_exceeded", "credits remaining|credits are required", {quota_insufficient, "balance"}},
    {"word/quota_401", Family::any, k401, "quota_exceeded", "", {quota_insufficient, "plan_quota"}},
    {"word/payment_credits", Family::any, kAll,
     "payment_required|billing_error", "sufficient credits|insufficient credits|insufficient balance",
     {quota_insufficient,
     "balance"}},
    {"word/payment", Family::any, kAll,
     "payment_required|billing_error|billing_*_required|BILLING_DISABLED|payment_issue", "",
     {quota_insufficient, "billing"}},
    {"word/entitlement", Family::any, kAll,
     "usage_not_included", "",
     {quota_insufficient, "entitlement", Scope::deployment}},
    {"word/plan_expired", Family::any, kAll,
     "QuotaLimitExpired|InvalidSubscription|subscription_expired|plan_expired", "",
     {quota_insufficient, "plan_expired"}},
    {"word/resource_pack", Family::any, kAll,
     "FailedOperation.ResourcePackExhausted|FailedOperation.FreeResourcePackExhausted", "",
     {quota_insufficient, "resource_pack"}},
    {"word/free_tier", Family::any, kAll,
     "*FREE|free_tier_exhausted|free_quota_exhausted|*FreeTierOnly|*FreeQuota*", "",
     {quota_insufficient, "free_tier_exhausted"}},
    {"word/usage_daily", Family::any, kAll,
     "USAGE_LIMIT_EXCEEDED|*DAILY_LIMIT*|daily_limit_exceeded", "daily",
     {quota_insufficient, "per_day_quota"}},
    {"word/usage_window", Family::any, kAll,
     "usage_limit_reached|USAGE_LIMIT_EXCEEDED|usage_limit_exceeded|coding_plan_*|*weekly_rate_limited", "",
     {quota_insufficient, "plan_window"}},
    {"word/token_per_day", Family::any, kAll,
     "token_quota_exceeded", "per day", {quota_insufficient, "per_day_quota"}},
    {"word/plan_quota", Family::any, kAll,
     "insufficient_quota|QuotaLimitExceeded|provider_quota_exceeded|quota_exhausted|token_quota_reached", "",
     {quota_insufficient, "plan_quota"}},
    {"word/storage", Family::any, kCaller,
     "quota_limit", "stored files|storage", {quota_insufficient, "storage_quota"}},
    {"word/file_quota", Family::any, kAll,
     "*.FileQuotaExceeded", "", {quota_insufficient, "storage_quota"}},
    {"word/service_quota", Family::any, kAll,
     "ServiceQuotaExceededException", "", {quota_insufficient, "service_quota"}},

    // Models and endpoints that are not there.
    {"word/no_channel", Family::any, kAll,
     "model_not_found", "渠道|channel", {provider_unavailable, "no_channel"}},
    {"word/deployment", Family::any, kAll,
     "DeploymentNotFound|deployment_not_found", "",
     {provider_unavailable, "deployment_not_found", Scope::deployment}},
    {"word/not_activated", Family::any, kAll,
     "*NotOpen", "", {provider_unavailable, "model_not_activated"}},
    {"word/service_not_activated", Family::any, kAll,
     "*ServiceNotActivated|CommodityNotPurchased|"
     "ResourceUnavailable.NotExist", "", {provider_unavailable, "not_activated"}},
    {"word/not_published", Family::any, kAll,
     "FlowNotPublished|AppNotPublished|app_unavailable", "", {provider_unavailable, "not_published"}},
    {"word/closed", Family::any, kAll,
     "InvalidEndpoint.ClosedEndpoint", "", {provider_unavailable, "endpoint_closed"}},
    {"word/service_closed", Family::any, kAll,
     "FailedOperation.ServiceStop|*ServiceStopped", "", {provider_unavailable, "service_closed"}},
    {"word/retired", Family::any, kAll,
     "ActionOffline|api_retired", "", {provider_unavailable, "api_retired"}},
    {"word/deprecated", Family::any, kAll,
     "model_decommissioned|model_deprecated|model_retired|ModelDeprecated", "",
     {provider_unavailable, "model_deprecated"}},
    {"word/compatibility", Family::any, kAll,
     "model_not_supported", "compatib", {invalid_request, "wrong_endpoint"}},
    {"word/wrong_api", Family::any, kAll,
     "unsupported_api_for_model|OperationNotSupported|API_NOT_FOUND|AIAE.22001001|PathNotFound|"
     "path_not_found|NoSuchVersion|NoSuchProduct|UnsupportedProtocol|not_chat_app|unknown_url", "",
     {invalid_request, "wrong_endpoint"}},
    {"word/model", Family::any, kAll,
     "model_not_found|ModelNotFound|invalid_model|model_not_available|model_not_exist|ModelNotExist|"
     "InvalidEndpointOrModel*|model_currently_not_support|model_not_supported|unsupported_model|"
     "unknown_model|*ModelNotSupported|InvalidModel|InvalidModelN*|InvalidModelI*|UnsupportedModel|"
     "InvalidParameterValue.Model|"
     "resource_not_found_error|model_invalid|RESOURCE_DOES_NOT_EXIST",
     "", {provider_unavailable, "model_not_found"}},
    {"word/model_401", Family::any, k401, "ModelError", "", {provider_unavailable, "model_not_found"}},
    {"word/model_unavailable", Family::any, k400 | k404,
     "ModelUnavailable|model_unavailable", "", {provider_unavailable, "model_unavailable"}},
    {"word/not_supported", Family::any, k500 | k404,
     "not_supported_error|api_not_implemented|not_implemented", "",
     {provider_unavailable, "not_supported"}},

    // The server's own trouble, whatever the status.
    {"word/overloaded", Family::any, kAll,
     "overloaded_error|overloaded|server_is_overloaded|slow_down|engine_overloaded|"
     "engine_overloaded_error|ServerOverloaded|SystemThrottling|system_busy|"
     "FailedOperation.EngineServerLimitExceeded|model_overloaded|server_overloaded|ServerOverload*|"
     "InferenceServiceOverloaded|model_overloaded_error|service_overloaded|server_high_load",
     "", kOverloaded},
    {"word/capacity", Family::any, kAll,
     "queue_exceeded|capacity_exceeded|insufficient_system_resource|model_at_capacity|capacity|"
     "no_capacity|NoCapacity|ResourceInsufficient",
     "", {temporary, "capacity"}},
    {"word/timeout", Family::any, kAll,
     "ModelTimeoutException|DEADLINE_EXCEEDED|InternalError.Timeout|RequestTimeOut|*RequestTimeout|"
     "TIMEOUT|TASK_TIMEOUT|upstream_timeout|timeout_error|gateway_timeout|vector_store_timeout",
     "", {temporary, "upstream_timeout"}},
    {"word/loading", Family::any, kAll,
     "ModelNotReadyException|model_loading|ModelLoadingError|DEPLOYMENT_SCALING_UP", "",
     {temporary, "model_loading"}},
    {"word/downstream", Family::any, kAll, "downstream_service_*", "", {temporary, "upstream"}},
    {"word/stream", Family::any, kAll, "modelStreamErrorException", "", {temporary, "stream_error"}},
    {"word/model_error", Family::any, kAll, "ModelErrorException", "", {temporary, "model_error"}},
    {"word/generation", Family::any, kAll,
     "generation|incomplete_generation|network_error", "", {temporary, "generation"}},
    {"word/bad_call", Family::any, kAll,
     "tool_use_failed|json_validate_failed|malformed_function_call|unexpected_tool_call", "",
     {temporary, "malformed_output", Scope::request, std::nullopt, std::nullopt, Penalty::weak}},
    {"word/cancelled", Family::any, kAll, "CANCELLED|USER_CANCEL", "", {temporary, "cancelled"}},
    {"word/by_caller", Family::any, kAll,
     "UserCancelled|ClientDisconnect", "",
     {temporary, "cancelled", std::nullopt, std::nullopt, std::nullopt, Penalty::none}},
    {"word/inspection_failed", Family::any, kAll,
     "ContentSecurityDetectionError", "", {temporary, "server_error"}},
    {"word/no_credential", Family::any, kAll, "auth_unavailable", "", {temporary, "no_credential"}},
    {"word/service_busy", Family::any, k2xx, "ServiceUnavailable", "", {temporary, "server_busy"}},
    {"word/interrupted", Family::any, k2xx, "failed", "interrupted", {temporary, "interrupted"}},
    {"word/out_of_memory", Family::any, k2xx, "failed", "out of memory", {temporary, "oom"}},
    {"word/no_database", Family::any, kAll, "no_db_connection", "", {temporary, "server_error"}},
    {"word/billing_config", Family::any, k500, "billing_config_error", "", {temporary, "server_error"}},
    {"word/model_down", Family::any, kServer,
     "ModelUnavailable", "", {temporary, "model_temporarily_unavailable"}},
    {"word/conflict", Family::any, kAll, "conflict_error", "", {temporary, "conflict"}},

    // The caller's per-second and per-minute limits.
    {"word/throttled", Family::any, k2xx,
     "throttled", "", {rate_limited, "concurrency", std::nullopt, std::nullopt, false}},
    {"word/concurrency", Family::any, kAll,
     "credential_concurrency_exceeded|websocket_connection_limit_reached|concurrency_limit_exceeded|"
     "*concurrency_limit_reached|"
     "*Concurrent*|LimitExceeded|InflightBatchsizeExceeded|RequestLimitExceeded.JobNum*|"
     "concurrent_limit|RequestLimitExceeded.GlobalConcurrency|too_many_concurrent*",
     "", {rate_limited, "concurrency"}},
    {"word/cooldown", Family::any, kAll, "model_cooldown", "", {rate_limited, "cooldown"}},
    {"word/burst", Family::any, kAll,
     "limit_burst_rate|RequestBurstTooFast|Throttling.BurstRate", "", {rate_limited, "burst"}},
    {"word/tpd", Family::any, kAll, "*Tpd*|*Rpd*", "", {quota_insufficient, "per_day_quota"}},
    {"word/ipm", Family::any, kAll, "*Ipm*", "", {rate_limited, "ipm"}},
    {"word/tpm", Family::any, kAll, "*Tpm*|tokens_per_minute*", "", {rate_limited, "tpm"}},
    {"word/rpm", Family::any, kAll,
     "*Rpm*|limit_requests|LimitRequests|Throttling.RateQuota|request_quota_exceeded|"
     "request_rate_limit_exceeded", "",
     {rate_limited, "rpm"}},
    {"word/qps", Family::any, kAll, "RequestLimitExceeded*|qps_limit*|*Qps*", "", {rate_limited, "qps"}},
    {"word/event_throttled", Family::any, k2xx,
     "throttlingException", "", {rate_limited, "stream_error"}},

    // The caller's request.
    {"word/too_large", Family::any, kAll,
     "request_too_large|BadRequest.TooLarge|LimitExceeded.TooLargeFileError|payload_too_large|"
     "file_too_large|InvalidFile.Size|*FileSizeExceed*|*EntityTooLarge|*RequestSizeLimitExceeded",
     "", {invalid_request, "payload_too_large"}},
    {"word/json", Family::any, kAll, "malformed_json", "", {invalid_request, "malformed_json"}},
    {"word/max_tokens", Family::any, kAll, "max_tokens_exceeded", "", {invalid_request, "max_tokens"}},
    {"word/schema", Family::any, kAll,
     "invalid_function_parameters|invalid_json_schema|REQUEST_INVALID_FILE*", "",
     {invalid_request, "invalid_parameter"}},
    {"word/missing_parameter", Family::any, kAll,
     "MissingParameter*|missing_required_parameter|BadRequest.Empty*|FieldLacking|parameter_missing|"
     "missing_parameter",
     "", {invalid_request, "missing_parameter"}},
    {"word/reference", Family::any, kAll,
     "voice_not_found|BadRequest.ResourceNotExist|*VoiceNotFound|*NotExistError|FILE_TRANS_TASK_EXPIRED|"
     "character_not_found|media_not_found|request_id_not_found|conversation_completed", "",
     {invalid_request, "stale_reference"}},
    {"word/image", Family::any, kAll,
     "invalid_image*|image_parse_error|url_parsing|ASSET.INVALID|*InvalidImage*|*ImageResolution*|"
     "*ImageSizeExceed|*ImageDecodeFailed|image_too_large|PageSizeOutOfRange|image_*_invalid|"
     "image_*_mismatch|image_processing_error|image_too_*|image_load_error|unsupported_image_format|"
     "InvalidPerson|InvalidInputLength|*ImageEmpty|*ImageR*Exc*|*ImageManyPeople|*ImageNotSupported|"
     "*NoBody|*ImageBody*|*BodyJoints*|*SizeTooSmall|ImageObjectsUndetected|*ImageFormat*|"
     "invalid_base64_image|image_file_too_large|unsupported_image_media_type|empty_image_file|"
     "corrupted_image",
     "", {invalid_request, "invalid_image"}},
    {"word/image_file", Family::any, kAll,
     "InvalidFile.*", "image|picture", {invalid_request, "invalid_image"}},
    {"word/audio", Family::any, kAll, "invalid_audio", "", {invalid_request, "invalid_audio"}},
    {"word/media", Family::any, kAll,
     "*DecoderError|invalid_media|*AudioDecodeFailed|Audio.*|unsupported_*o_format|FILE_CHECK_*|FILE_NORM*|"
     "*PARSE_FAILED|NO_INPUT_AUDIO_ERROR|*NO_VALID_FRAGMENT|*HAVE_NO_WORDS", "",
     {invalid_request, "invalid_media"}},
    {"word/download", Family::any, kAll,
     "*InputDownloadFailed|*ImageDownloadError|*DownloadFailure|*DownloadFailed|invalid_image_url|"
     "*.DownloadError|FILE_DOWNLOAD_*|FILE_40*|CONTENT_LENGTH_CHECK*|InvalidURL.*|image_not_found|"
     "image_download_failed|failed_to_download_image|image_file_not_found", "",
     {invalid_request, "input_download"}},
    {"word/face", Family::any, kAll,
     "ImageCheckFaceFailed|*DetectFace*|*FaceDetect*|face_detection_error", "",
     {invalid_request, "face_not_detected"}},
    {"word/unreadable", Family::any, kAll,
     "convert_request_failed|read_request_body_failed", "", {invalid_request, "invalid_parameter"}},
    {"word/unsupported", Family::any, kAll,
     "unsupported_parameter|unsupported_value|*UnsupportedParameter|feature_not_supported", "",
     {invalid_request, "unsupported_parameter"}},
    {"word/operation", Family::any, kAll,
     "InvalidAction|UnsupportedOperation*|OperationDenied.Unsupported*|OperationDenied.C*", "",
     {invalid_request, "unsupported_operation"}},
    {"word/busy_reference", Family::any, kAll,
     "OperationInProcess", "", {invalid_request, "duplicate_request"}},
    {"word/state", Family::any, kAll,
     "OperationDenied.InvalidState", "", {invalid_request, "resource_state"}},
    {"word/conflicting", Family::any, kAll, "Conflict", "", {invalid_request, "conflict"}},
    {"word/task", Family::any, kAll,
     "TaskNotFound|task not found|*JobNotExist", "", {invalid_request, "task_not_found"}},
    {"word/stale", Family::any, k404,
     "previous_response_not_found|file_not_found|thread_not_found|CreationNotFound|"
     "generation_not_found", "",
     {invalid_request, "stale_reference"}},
};
// clang-format on
constexpr auto kPacked = packed<kRules>();

}  // namespace

Rules word_rules() { return Rules(kPacked); }

}  // namespace shunt::classify
