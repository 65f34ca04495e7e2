// Broken transports as runtimes put them into words. The texts are those of each runtime's own enumeration:
// undici's and Node's error codes, workerd, Chromium's net errors, Firefox, Safari, curl_easy_strerror,
// Fastly's send-error details, wasi:http error codes, Go, Python and Rust clients.
#include <gtest/gtest.h>

#include <string>

#include "judged.h"

namespace shunt::classify {
namespace {

struct Case {
  const char* sub;
  const char* text;
};

constexpr Case kNode[] = {
    {"connect_timeout", "ConnectTimeoutError: Connect Timeout Error (UND_ERR_CONNECT_TIMEOUT)"},
    {"headers_timeout", "UND_ERR_HEADERS_TIMEOUT"},
    {"body_timeout", "UND_ERR_BODY_TIMEOUT"},
    {"protocol", "UND_ERR_HEADERS_OVERFLOW"},
    {"protocol", "UND_ERR_RES_EXCEEDED_MAX_SIZE"},
    {"reset", "UND_ERR_SOCKET"},
    {"caller_abort", "UND_ERR_ABORTED"},
    {"caller_abort", "AbortError: This operation was aborted"},
    {"own_limit", "UND_ERR_DESTROYED"},
    {"own_limit", "UND_ERR_CLOSED"},
    {"local_argument", "UND_ERR_INVALID_ARG"},
    {"local_argument", "UND_ERR_NOT_SUPPORTED"},
    {"local_argument", "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"},
    {"truncated", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"},
    {"proxy", "UND_ERR_PRX_TLS"},
    {"dns", "getaddrinfo ENOTFOUND api.example.com"},
    {"refused", "connect ECONNREFUSED 192.0.2.1:443"},
    {"reset", "read ECONNRESET"},
    {"unreachable", "connect ENETUNREACH 2001:db8::1:443"},
    {"timeout", "read ETIMEDOUT"},
    {"tls", "DEPTH_ZERO_SELF_SIGNED_CERT"},
    {"tls", "SELF_SIGNED_CERT_IN_CHAIN"},
    {"tls", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"},
    {"tls", "ERR_TLS_CERT_ALTNAME_INVALID"},
    {"local_argument", "TypeError [ERR_INVALID_URL]: Invalid URL"},
    {"local_argument", "Invalid character in header content [\"x\"] (ERR_INVALID_CHAR)"},
};

constexpr Case kWorkerd[] = {
    {"reset", "Network connection lost."},
    {"own_limit", "Too many subrequests."},
    {"own_limit", "Response closed due to connection limit"},
    {"own_limit", "A stalled HTTP response was canceled to prevent deadlock."},
    {"own_runtime", "Worker exceeded CPU time limit."},
    {"own_runtime", "The script will never generate a response."},
    {"own_runtime", "A hanging Promise was canceled."},
    {"refused", "proxy request failed, cannot connect to the specified address"},
    {"truncated", "ReadableStream received over RPC disconnected prematurely."},
};

constexpr Case kBrowsers[] = {
    {"generic", "TypeError: Failed to fetch"},
    {"generic", "TypeError: Load failed"},
    {"generic", "NetworkError when attempting to fetch resource."},
    {"reset", "TypeError: network error"},
    {"dns", "net::ERR_NAME_NOT_RESOLVED"},
    {"refused", "net::ERR_CONNECTION_REFUSED"},
    {"reset", "net::ERR_CONNECTION_RESET"},
    {"reset", "net::ERR_CONNECTION_CLOSED"},
    {"reset", "net::ERR_EMPTY_RESPONSE"},
    {"reset", "net::ERR_NETWORK_CHANGED"},
    {"connect_timeout", "net::ERR_CONNECTION_TIMED_OUT"},
    {"timeout", "net::ERR_TIMED_OUT"},
    {"unreachable", "net::ERR_ADDRESS_UNREACHABLE"},
    {"unreachable", "net::ERR_INTERNET_DISCONNECTED"},
    {"tls", "net::ERR_CERT_DATE_INVALID"},
    {"tls", "net::ERR_SSL_PROTOCOL_ERROR"},
    {"protocol", "net::ERR_HTTP2_PROTOCOL_ERROR"},
    {"protocol", "net::ERR_QUIC_PROTOCOL_ERROR"},
    {"truncated", "net::ERR_INCOMPLETE_CHUNKED_ENCODING"},
    {"truncated", "net::ERR_CONTENT_LENGTH_MISMATCH"},
    {"proxy", "net::ERR_PROXY_CONNECTION_FAILED"},
    {"proxy", "net::ERR_TUNNEL_CONNECTION_FAILED"},
    {"caller_abort", "net::ERR_ABORTED"},
    {"truncated", "TypeError: Error in body stream"},
    {"dns", "NS_ERROR_UNKNOWN_HOST"},
    {"reset", "NS_ERROR_NET_INTERRUPT"},
    {"reset", "The network connection was lost."},
    {"unreachable", "The Internet connection appears to be offline."},
    {"dns", "A server with the specified hostname could not be found."},
    {"refused", "Could not connect to the server."},
    {"timeout", "The request timed out."},
};

constexpr Case kCurl[] = {
    {"local_argument", "Unsupported protocol"},
    {"local_argument", "A requested feature, protocol or option was not found built-in in this libcurl"},
    {"proxy", "Could not resolve proxy name"},
    {"dns", "Could not resolve hostname"},
    {"refused", "Could not connect to server"},
    {"protocol", "Weird server reply"},
    {"own_runtime", "Failed writing received data to disk/application"},
    {"own_runtime", "Failed to open/read local data from file/application"},
    {"own_runtime", "Out of memory"},
    {"local_argument", "A libcurl function was given a bad argument"},
    {"own_limit", "Failed binding local connection end"},
    {"redirects", "Number of redirects hit maximum amount"},
    {"reset", "Server returned nothing (no headers, no data)"},
    {"reset", "Failed sending data to the peer"},
    {"tls", "Problem with the SSL CA cert (path? access rights?)"},
    {"tls", "SSL peer certificate or SSH remote key was not OK"},
    {"protocol", "Maximum file size exceeded"},
    {"protocol", "A value or data field grew larger than allowed"},
    {"protocol", "Unrecognized or bad HTTP Content or Transfer-Encoding"},
};

constexpr Case kEdges[] = {
    {"timeout", "connection-read-timeout"},
    {"dns", "dns-error"},
    {"dns", "dns-timeout"},
    {"unreachable", "destination-not-found"},
    {"unreachable", "destination-unavailable"},
    {"unreachable", "destination-ip-unroutable"},
    {"unreachable", "error-code::destination-IP-prohibited"},
    {"refused", "connection-refused"},
    {"reset", "connection-terminated"},
    {"connect_timeout", "connection-timeout"},
    {"own_limit", "connection-limit-reached"},
    {"tls", "tls-certificate-error"},
    {"tls", "tls-configuration-error"},
    {"tls", "tls-alert-received"},
    {"truncated", "http-incomplete-response"},
    {"protocol", "http-response-header-section-too-large"},
    {"protocol", "http-response-body-too-large"},
    {"protocol", "error-code::HTTP-response-transfer-coding"},
    {"headers_timeout", "http-response-timeout"},
    {"protocol", "http-response-status-invalid"},
    {"protocol", "http-upgrade-failed"},
    {"protocol", "http-protocol-error"},
    {"local_argument", "http-request-cache-key-invalid"},
    {"local_argument", "http-request-uri-invalid"},
};

constexpr Case kOthers[] = {
    {"dns", "dial tcp: lookup api.example.com on 192.0.2.1:53: no such host"},
    {"refused", "dial tcp 192.0.2.1:443: connect: connection refused"},
    {"reset", "write tcp 192.0.2.1:5->192.0.2.2:443: use of closed network connection"},
    {"reset", "http: server closed idle connection"},
    {"protocol", "http: server gave HTTP response to HTTPS client"},
    {"tls", "net/http: TLS handshake timeout"},
    {"caller_abort", "context canceled"},
    {"refused", "httpx.ConnectError: All connection attempts failed"},
    {"own_limit", "httpx.PoolTimeout"},
    {"timeout", "httpx.ReadTimeout: The read operation timed out"},
    {"reset", "httpx.ReadError"},
    {"truncated", "peer closed connection without sending complete message body (incomplete chunked read)"},
    {"reset", "aiohttp.ServerDisconnectedError: Server disconnected"},
    {"truncated", "ClientPayloadError: Response payload is not completed: <TransferEncodingError: 400>"},
    {"refused", "Cannot connect to host a.example:443 ssl:default [Connect call failed ('192.0.2.1', 443)]"},
    {"dns", "Cannot connect to host a.example:443 ssl:default [Name or service not known]"},
    {"refused", "client error (Connect): tcp connect error: Connection refused (os error 111)"},
    {"dns", "dns error: failed to lookup address information: Name or service not known"},
    {"tls", "invalid peer certificate: UnknownIssuer"},
    {"reset", "connection closed before message completed"},
    {"truncated", "error decoding response body"},
    {"reset", "The socket connection was closed unexpectedly."},
};

template <std::size_t N>
void check(const Case (&cases)[N]) {
  for (const Case& c : cases) {
    Evidence evidence;
    evidence.fault = TransportFault::other;
    evidence.fault_text = c.text;
    EXPECT_EQ(judged(evidence).sub, c.sub) << c.text << " by " << judged(evidence).rule;
  }
}

TEST(Runtimes, Node) { check(kNode); }
TEST(Runtimes, Workerd) { check(kWorkerd); }
TEST(Runtimes, Browsers) { check(kBrowsers); }
TEST(Runtimes, Curl) { check(kCurl); }
TEST(Runtimes, FastlyAndWasi) { check(kEdges); }
TEST(Runtimes, GoPythonRustAndBun) { check(kOthers); }

}  // namespace
}  // namespace shunt::classify
