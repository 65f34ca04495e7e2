// Broken transports: the runtime's own words first (they part what a host's vocabulary joins), then
// the fault itself.
#include "classify/rule_pack.h"
#include "classify/rules.h"

namespace shunt::classify {
namespace {

using enum ErrorClass;

// Our own side's doing says nothing about the line.
constexpr Ruling own(ErrorClass error_class, std::string_view sub) {
  return {error_class, sub, Scope::own_host, std::nullopt, std::nullopt, Penalty::none};
}
constexpr Ruling kAborted{unknown, "caller_abort", Scope::own_host, false, false, Penalty::none};
constexpr Ruling kOwnRuntime{unknown, "own_runtime", Scope::own_host, false, false, Penalty::none};
// Connections that were made and then broke: of this line, where unreachable hosts are of the provider.
constexpr Ruling broke(std::string_view sub) { return {external_network, sub, Scope::deployment}; }

// clang-format off: one row, one or a few lines
constexpr Rule kRules[] = {
    {"fault/own_runtime", Family::any, kAll, "",
     "memory limit|code had hung|exceeded cpu|cpu time limit|never generate a response|"
     "out of memory|hanging promise|failed writing received|read local data",
     kOwnRuntime},
    {"fault/tunnel", Family::any, kAll, "", "http tunneling", own(external_network, "proxy")},
    {"fault/caller_abort", Family::any, kAll, "own_abort", "", kAborted},
    {"fault/caller_abort_text", Family::any, kAll, "",
     "application callback|aborterror|operation was aborted|user aborted|context canceled|"
     "und_err_abort|abort_err|err_aborted", kAborted},
    {"fault/local_argument", Family::any, kAll, "",
     "invalid argument|und_err_req_content_length|bad/illegal format|cannot load|uri invalid|"
     "unsupported protocol|invalid url|uri-invalid|method-invalid|header forbidden|http-request-|"
     "bad argument|cache key invalid|invalid_url|err_invalid_char|invalid character in header|"
     "und_err_invalid|und_err_not_supported|localprotocolerror|unsupportedprotocol|"
     "no connection adapters|not found built-in|unknown option|option provided|within callback|"
     "parse url|protocol scheme|no host in request|invalid header field|"
     "invalidurl|malformedurl|builder error",
     {invalid_request, "local_argument"}},
    {"fault/capacity_text", Family::any, kAll, "",
     "capacity temporarily exceeded", {temporary, "capacity"}},
    {"fault/retries", Family::any, kAll, "", "too many 50", {temporary, "retries_exhausted"}},
    {"fault/retries_429", Family::any, kAll, "", "too many 429", {rate_limited, "retries_exhausted"}},
    {"fault/local_proxy", Family::any, kAll, "proxy", "", own(external_network, "proxy")},
    {"fault/local_proxy_text", Family::any, kAll, "",
     "proxyerror|proxyconnect|proxy handshake|proxy name|proxy authentication|proxy connect|to proxy|"
     "from proxy|resolve proxy|socks|err_proxy|und_err_prx|tunnel_connection|tunnel connection|with proxy",
     own(external_network, "proxy")},
    {"fault/own_limit", Family::any, kAll, "own_limit", "", own(external_network, "own_limit")},
    {"fault/own_limit_text", Family::any, kAll, "",
     "connection limit|connection-limit|too many open files|too many subrequests|client is destroyed|"
     "client is closed|und_err_destroyed|und_err_closed|pooltimeout|binding local|"
     "to prevent deadlock", own(external_network, "own_limit")},
    {"fault/platform", Family::any, kAll, "",
     "internal error; reference", own(external_network, "platform")},
    {"fault/local_tls", Family::any, kAll, "",
     "local ssl|tls configuration|configuration-error|ssl ca cert|ssl crypto engine|"
     "ssl cipher|crl file", own(external_network, "tls")},
    {"fault/redirects", Family::any, kAll, "", "redirect", {external_network, "redirects"}},
    {"fault/truncated_text", Family::any, kAll, "",
     "partial file|transfer closed|premature|incomplete|und_err_res_content_length|typeerror: terminated|"
     "content-length mismatch|content_length_mismatch|payload is not completed|decoding response body|"
     "reading a body|error in body stream|error in input stream|unexpected end of|invalidchunk",
     broke("truncated")},
    {"fault/dns_text", Family::any, kAll, "",
     "dns|lookup |getaddrinfo|name resolution|resolve|no such host|enotfound|eai_again|"
     "name or service not known|name not resolved|name_not_resolved|unknown_host|unknownhost|"
     "domain name not found|nodename nor servname|hostname could not be found|"
     "resolving timed|querya", {external_network, "dns"}},
    // What could not be reached in time says both.
    {"fault/connect_slow", Family::any, kAll, "",
     "connect timed out|connection timed out|ms: timeout was reached|deadline has elapsed",
     {external_network, "connect_timeout"}},
    {"fault/refused_text", Family::any, kAll, "",
     "refused|could not connect to|couldn't connect to|failed to connect|connect call failed|"
     "connection attempts failed|"
     "tcp connect error|cannot connect to the specified", {external_network, "refused"}},
    // After names and refusals: some runtimes say "ssl" of every connection.
    {"fault/tls_text", Family::any, kAll, "",
     "tls|ssl|certific|cert_|_cert|unable_to_verify|x509|handshake|ech attempted", {external_network, "tls"}},
    {"fault/unreachable_text", Family::any, kAll, "",
     "unreach|unavailable|prohibited|unroutable|not routable|no route|destination not found|"
     "destination-not-found|internet_disconnected|appears to be offline|ns_error_offline",
     {external_network, "unreachable"}},
    {"fault/connect_timeout_text", Family::any, kAll, "",
     "connect etimedout|[etimedout]|connect timeout|connection timeout|connection-timeout|"
     "und_err_connect_timeout|connect_timeout|connectiontimeout|: i/o timeout|connecttimeout|"
     "connection_timed_out",
     {external_network, "connect_timeout"}},
    {"fault/headers_timeout", Family::any, kAll, "",
     "headers timeout|response-timeout|response timeout|first byte timeout|between bytes timeout|"
     "und_err_headers_timeout",
     broke("headers_timeout")},
    {"fault/body_timeout", Family::any, kAll, "",
     "body timeout|und_err_body_timeout", broke("body_timeout")},
    {"fault/own_timeout", Family::any, kAll, "", "context deadline", broke("own_timeout")},
    {"fault/timeout_text", Family::any, kAll, "", "timeout|timed out|timedout|timed_out", broke("timeout")},
    {"fault/protocol_text", Family::any, kAll, "",
     "http/2|http2|http/3|quic|framing|parser|overflow|protocol|encoding|stream error|too large|hpe_|"
     "malformed|http-response-|status invalid|status-invalid|upgrade|weird server|file size exceeded|"
     "grew larger|exceeded_max_size|loop-detected|http response to https|"
     "header check|data_error",
     broke("protocol")},
    {"fault/reset_text", Family::any, kAll, "",
     "reset|hang up|forcibly closed|connection lost|epipe|other side closed|aborted|remote end closed|"
     "unexpected eof|: eof|terminated|close 1006|broken|disconnected|connection closed|empty reply|"
     "failed sending|failure when receiving|returned nothing|empty_response|connection_closed|"
     "connection was closed|connection was lost|network connection|idle connection|server disconnected|"
     "und_err_socket|net_interrupt|network_changed|typeerror: network error|readerror|writeerror|socket|"
     "send failed",
     broke("reset")},
    {"fault/dns", Family::any, kAll, "dns", "", {external_network, "dns"}},
    {"fault/refused", Family::any, kAll, "refused", "", {external_network, "refused"}},
    {"fault/connect_timeout", Family::any, kAll,
     "connect_timeout", "", {external_network, "connect_timeout"}},
    {"fault/tls", Family::any, kAll, "tls", "", {external_network, "tls"}},
    {"fault/reset", Family::any, kAll, "reset", "", broke("reset")},
    {"fault/protocol", Family::any, kAll, "protocol", "", broke("protocol")},
    {"fault/truncated", Family::any, kAll, "truncated", "", broke("truncated")},
    {"fault/response_timeout", Family::any, kAll, "response_timeout", "", broke("timeout")},
    {"fault/other", Family::any, kAll, "", "", {external_network, "generic"}},
};
// clang-format on
constexpr auto kPacked = packed<kRules>();

}  // namespace

Rules fault_rules() { return Rules(kPacked); }

}  // namespace shunt::classify
