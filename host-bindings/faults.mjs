// How a transport broke: each runtime's own words -> the core's numbers (core/canonical/failure.h:
// TransportFault). A table; decides nothing.

/** In the order of the enum. */
export const transportFaults = [
  'none',
  'dns',
  'refused',
  'connect_timeout',
  'reset',
  'tls',
  'protocol',
  'proxy',
  'truncated',
  'response_timeout',
  'own_limit',
  'own_abort',
  'other',
];
const kNumbers = new Map(transportFaults.map((name, number) => [name, number]));

// By error code: Node's system and undici's codes, Bun's, Deno's error names.
const kByCode = [
  [/^(ENOTFOUND|EAI_\w+|EDNS\w*|DNSException)$/, 'dns'],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ConnectionRefused|FailedToOpenSocket)$/,
    'refused',
  ],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|ConnectionTimeout)$/, 'connect_timeout'],
  [/^(UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|TimeoutError)$/, 'response_timeout'],
  [
    /^(UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_STREAM_PREMATURE_CLOSE|ERR_CONTENT_LENGTH_MISMATCH)$/,
    'truncated',
  ],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|ConnectionReset|ConnectionClosed|BrokenPipe)$/,
    'reset',
  ],
  [
    /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|EPROTO|HOSTNAME_MISMATCH)$/,
    'tls',
  ],
  [
    /^(HPE_\w+|UND_ERR_HEADERS_OVERFLOW|ERR_HTTP2?_\w+|Malformed_HTTP_Response|InvalidHTTPResponse)$/,
    'protocol',
  ],
  [/^(UND_ERR_PRX_\w+|ERR_PROXY\w*)$/, 'proxy'],
  [/^(EMFILE|ENFILE|ENOBUFS|EADDRNOTAVAIL|UND_ERR_DESTROYED|UND_ERR_CLOSED)$/, 'own_limit'],
  [/^(UND_ERR_ABORTED|ABORT_ERR|AbortError)$/, 'own_abort'],
];

// By message: workerd and Deno give no codes, browsers say next to nothing on purpose.
const kByWords = [
  [
    /too many subrequests|subrequest depth|connection limit|prevent deadlock|memory limit|exceeded cpu/i,
    'own_limit',
  ],
  [/dns|name not resolved|failed to lookup|getaddrinfo/i, 'dns'],
  [/refused|unreachable|no route/i, 'refused'],
  [/tls|ssl|certificate|handshake/i, 'tls'],
  [/proxy/i, 'proxy'],
  [/connect(ion)? timed? ?out|connect timeout/i, 'connect_timeout'],
  [/timed? ?out/i, 'response_timeout'],
  [/premature|incomplete|content.length|unexpected eof|reading a body|end of file/i, 'truncated'],
  [/connection lost|reset|closed|hang up|disconnected|broken pipe|network error/i, 'reset'],
  [/http|protocol|invalid header|malformed|parse|redirect/i, 'protocol'],
];

// Bodies that ended too soon: undici's words for whatever cut them.
const kTerminated = /^terminated$/i;

function* chain(error) {
  for (let depth = 0; error && depth < 5; ++depth) {
    yield error;
    error = error.cause ?? error.errors?.[0]; // AggregateError: one per address that was tried
  }
}

const matching = (rows, text) => rows.find(([pattern]) => pattern.test(text))?.[1];

function nameOf(error, inBody) {
  const all = [...chain(error)];
  const codes = all.flatMap(({ code, name }) => [code, name]).filter((each) => typeof each === 'string');
  for (const code of codes) {
    const name = matching(kByCode, code);
    // A socket the other side closed in the middle of a body: the answer is cut.
    if (name === 'reset' && inBody && code === 'UND_ERR_SOCKET') return 'truncated';
    if (name) return name;
  }
  for (const { message } of all) {
    if (inBody && kTerminated.test(message)) return 'truncated';
    const name = matching(kByWords, String(message));
    if (name) return name;
  }
  return 'other';
}

const kWordsLimit = 500;

/**
 * {fault, text} for what a fetch or a body's read threw. The text keeps codes and causes: the core
 * reads them too.
 */
export function faultOf(error, {inBody = false} = {}) {
  const words = [...chain(error)].map(({ name, code, message }) => {
    const code_text = typeof code === 'string' ? ` [${code}]` : '';
    return `${name ?? 'Error'}: ${message ?? error}${code_text}`;
  });
  return {
    fault: kNumbers.get(nameOf(error, inBody)),
    text: (words.join(': ') || String(error)).slice(0, kWordsLimit),
  };
}
