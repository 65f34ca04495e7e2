// Everything a simulated provider can do with a call, as one table of named rows. A row makes a plan, which
// the server performs; rows are pure and know no sockets.
//
// A plan: {status, headers, chunks: [Buffer | string], end, head_ms, gap_ms}
//   status  0 = no head at all
//   end     'clean'; 'reset' (RST); 'close' (FIN without an end of the body); 'hang' (nothing more until the
//   caller leaves) head_ms before the head; gap_ms before each further chunk (0: one write after the other,
//   each flushed)
import {answer} from './content.mjs';

const kJson = {
  'content-type': 'application/json'
};
const kStream = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache'
};
const kHtml = {
  'content-type': 'text/html'
};

const plan = (fields) =>
    ({ status: 200, headers: {}, chunks: [], end: 'clean', head_ms: 0, gap_ms: 0, ...fields });

/** The healthy answer in its parts; of a plain answer the parts are slices of its one document. */
function parts_of({ dialect, ask, options }) {
  const said = answer(ask, options);
  if (ask.stream) return { headers: kStream, ...dialect.stream(said, ask) };
  const text = JSON.stringify(dialect.plain(said));
  const third = Math.ceil(text.length / 3);
  return {
    headers: kJson,
    opening: [text.slice(0, third)],
    content: [text.slice(third, 2 * third)],
    ending: [text.slice(2 * third)],
  };
}

const whole = ({ opening, content, ending }) => [...opening, ...content, ...ending];
/** The parts up to the middle of the content. */
const begun = ({ opening, content }) => [...opening, ...content.slice(0, Math.ceil(content.length / 2))];
const joined = (parts) => Buffer.from(whole(parts).join(''));

/** A row that is healthy but for how its bytes are cut, spaced or spelled. */
const healthy = (about, shape = (parts) => ({ chunks: whole(parts) })) => ({
  about,
  plan: (context) => {
    const parts = parts_of(context);
    return plan({ headers: parts.headers, ...shape(parts, context.options) });
  },
});

/** A row that answers with an error status. */
const refuses = (about, status, kind, message, headers = () => ({})) => ({
  about,
  plan: ({ dialect, options }) => {
    const wait_s = options.wait_s ?? 2;
    return plan({
      status: options.status ?? status,
      headers: {...kJson, ...headers({ wait_s, dialect }) },
      chunks: [JSON.stringify(dialect.error(kind, message.replaceAll('WAIT', wait_s)))],
    });
  },
});

const kTooMany = 'Rate limit reached for requests.';
const limited = (about, headers, message = kTooMany) => refuses(about, 429, 'rate_limit', message, headers);

const slices = (bytes, size) => {
  const out = [];
  for (let at = 0; at < bytes.length; at += size) out.push(bytes.subarray(at, at + size));
  return out;
};

/** Cuts inside every character longer than a byte, and nowhere else. */
function inside_characters(bytes) {
  const out = [];
  let start = 0;
  for (let at = 1; at < bytes.length; at += 1) {
    const continues = (bytes[at] & 0xc0) === 0x80;
    if (continues && at > start) {
      out.push(bytes.subarray(start, at));
      start = at;
    }
  }
  return [...out, bytes.subarray(start)];
}

const error_first = ({ dialect, ask }) => ask.stream ?
    plan({ headers: kStream, chunks: [dialect.error_frame('overloaded', 'The model is overloaded.')] }) :
    plan({
      headers: kJson,
      chunks: [JSON.stringify(dialect.error('overloaded', 'The model is overloaded.'))]
    });

export const behaviours = {
  // ---- healthy ----
  ok: healthy('a whole answer: text, tool calls if tools are given, reasoning if asked for'),
  slow_drip: healthy(
      'every piece after a pause of `ms` (20)', (parts, {ms = 20}) => ({chunks: whole(parts), gap_ms: ms})),
  late_head: healthy(
      'the head comes after `ms` (200)', (parts, {ms = 200}) => ({chunks: whole(parts), head_ms: ms})),
  small_chunks:
      healthy('writes of `bytes` (7) each', (parts, {bytes = 7}) => ({chunks: slices(joined(parts), bytes)})),
  one_chunk: healthy('everything in one write', (parts) => ({chunks: [joined(parts)]})),
  split_utf8: healthy(
      'cut inside each character that is longer than a byte', (parts) => ({
                                                                chunks: inside_characters(joined(parts)),
                                                              })),
  crlf: healthy(
      'lines end in CR LF', (parts) => ({chunks: whole(parts).map((text) => text.replaceAll('\n', '\r\n'))})),
  comments: healthy(
      'comment lines between the frames, as proxies send them',
      (parts) => ({
        chunks: parts.headers === kStream ? whole(parts).flatMap((text) => [': keep-alive\n\n', text]) :
                                            whole(parts),
      })),

  // ---- 429, with each way to say how long ----
  limited_seconds: limited('429, retry-after in seconds', ({wait_s}) => ({'retry-after': `${wait_s}`})),
  limited_date: limited(
      '429, retry-after as a date',
      ({wait_s}) => ({
        'retry-after': new Date(Math.ceil(Date.now() / 1000 + wait_s) * 1000).toUTCString(),
      })),
  limited_ms:
      limited('429, retry-after-ms', ({wait_s}) => ({'retry-after-ms': `${Math.round(wait_s * 1000)}`})),
  limited_reset:
      limited('429, the API\'s own reset headers', ({wait_s, dialect}) => dialect.reset_headers(wait_s)),
  limited_sentence:
      limited('429, the wait in the sentence', () => ({}), `${kTooMany} Please try again in WAITs.`),
  limited_retry_info: {
    about: '429, RetryInfo in the details of the error',
    plan: ({dialect, options}) => {
      const body = dialect.error('rate_limit', 'Resource has been exhausted.');
      body.error.status = 'RESOURCE_EXHAUSTED';
      body.error.details = [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${options.wait_s ?? 2}s` },
      ];
      return plan({ status: 429, headers: kJson, chunks: [JSON.stringify(body)] });
    },
  },
  limited_silent: limited('429 without a word on how long', () => ({})),

  // ---- other error statuses ----
  bad_request:
      refuses('400, the caller\'s own fault', 400, 'bad_request', 'Invalid value for \'temperature\'.'),
  content_refused: refuses(
      '400, the content is refused',
      400,
      'content',
      'Your request was rejected by our content policy: output blocked by content filtering policy.',
      ),
  unauthorized: refuses('401', 401, 'auth', 'Incorrect API key provided.'),
  out_of_quota: refuses(
      '429 that no wait mends: the account is empty', 429, 'quota', 'You exceeded your current quota.'),
  error_500: refuses('500', 500, 'server', 'The server had an error while processing your request.'),
  html_502: {
    about: '502 with the page of a proxy',
    plan: () => plan({
      status: 502,
      headers: kHtml,
      chunks:
          ['<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'],
    }),
  },
  error_503: refuses('503', 503, 'server', 'The service is temporarily unavailable.'),
  overloaded_529: refuses('529', 529, 'overloaded', 'Overloaded'),

  // ---- broken or silent transports ----
  stall_no_head: {about: 'takes the request and says nothing', plan: () => plan({status: 0, end: 'hang'})},
  stall_no_event: {
    about: 'a head, but no event',
    plan: (context) => plan({headers: parts_of(context).headers, end: 'hang'}),
  },
  stall_mid: {
    about: 'stops in the middle of the content, connection open',
    plan: (context) => {
      const parts = parts_of(context);
      return plan({ headers: parts.headers, chunks: begun(parts), end: 'hang' });
    },
  },
  reset_before_head: {about: 'RST instead of a head', plan: () => plan({status: 0, end: 'reset'})},
  close_before_head: {about: 'FIN instead of a head', plan: () => plan({status: 0, end: 'close'})},
  reset_after_head: {
    about: 'RST after the head',
    plan: (context) => plan({headers: parts_of(context).headers, end: 'reset'}),
  },
  reset_mid: {
    about: 'RST in the middle of the content',
    plan: (context) => {
      const parts = parts_of(context);
      return plan({ headers: parts.headers, chunks: begun(parts), end: 'reset', gap_ms: 2 });
    },
  },

  // ---- a 200 that is none ----
  error_body_200: {
    about: '200, application/json, an error in the body (streams too)',
    plan: ({dialect}) =>
        plan({headers: kJson, chunks: [JSON.stringify(dialect.error('server', 'The server had an error.'))]}),
  },
  error_first: {about: '200, the stream\'s first event is an error', plan: error_first},
  error_mid: {
    about: 'an error event in the middle of the content',
    plan: (context) => {
      const parts = parts_of(context);
      if (!context.ask.stream) return error_first(context);
      return plan({
        headers: parts.headers,
        chunks: [...begun(parts), context.dialect.error_frame('overloaded', 'The model is overloaded.')],
      });
    },
  },
  broken_frame: {
    about: 'one frame of a healthy stream is not JSON',
    plan: (context) => {
      const parts = parts_of(context);
      const rest = [...parts.content.slice(Math.ceil(parts.content.length / 2)), ...parts.ending];
      const broken = context.ask.stream ? [context.dialect.broken_frame] : [];
      return plan({ headers: parts.headers, chunks: [...begun(parts), ...broken, ...rest] });
    },
  },
  empty: {
    about: '200 and an empty body',
    plan: (context) => plan({headers: parts_of(context).headers}),
  },
  comments_only: {
    about: '200 and comment lines, then the end',
    plan: (context) => plan({
      headers: parts_of(context).headers,
      chunks: context.ask.stream ? [': processing\n\n', ': processing\n\n'] : []
    }),
  },
  cut: {
    about: 'ends cleanly in the middle of the content, without a finish',
    plan: (context) => {
      const parts = parts_of(context);
      return plan({ headers: parts.headers, chunks: begun(parts) });
    },
  },
};
