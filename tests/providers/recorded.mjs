// Plays recorded provider exchanges: a record's response, byte for byte and in the reads the recorder saw.
// Knows the two formats records come in (one JSON object an exchange; shunt-trace/1) and no behaviour.

// Of the connection, not of the answer: the server sets its own.
const kHopByHop =
    new Set(['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive']);

const kept = (headers) =>
    Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !kHopByHop.has(name.toLowerCase())));

/** The body in the reads of the recorder; one read where none were recorded. */
function reads_of(body, sizes) {
  if (!sizes) return body.length > 0 ? [body] : [];
  const reads = [];
  let at = 0;
  for (const size of sizes) {
    reads.push(body.subarray(at, at + size));
    at += size;
  }
  if (at !== body.length) throw new Error(`reads sum to ${at}, the body has ${body.length} bytes`);
  return reads.filter((read) => read.length > 0);
}

/**
 * A plan for the server (see behaviours.mjs) out of {response: {status, headers, body_text | body_base64,
 * chunk_sizes}}.
 */
export function playRecorded({response}, fields = {}) {
  const body = response.body_base64 === undefined ? Buffer.from(response.body_text ?? '') :
                                                    Buffer.from(response.body_base64, 'base64');
  return {
    status: response.status,
    headers: kept(response.headers),
    chunks: reads_of(body, response.chunk_sizes),
    end: 'clean',
    head_ms: 0,
    gap_ms: 0,
    ...fields,
  };
}

/**
 * The provider exchanges inside a shunt-trace/1 text, as records that playRecorded takes; each with its
 * `end`.
 */
export function recordsOf(trace) {
  const attempts = new Map();
  const bytes_of = ({ p, p64 }) => (p64 === undefined ? Buffer.from(p ?? '') : Buffer.from(p64, 'base64'));
  for (const line of trace.split('\n').filter(Boolean).map((text) => JSON.parse(text))) {
    const key = `${line.x}/${line.stream}`;
    const record = attempts.get(key);
    if (line.op === 'head_arrived') {
      const headers = bytes_of(line).toString().split('\n').filter(Boolean).map(
          (text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1).trim()]);
      attempts.set(key, { status: line.a, headers: Object.fromEntries(headers), reads: [], end: 'hang' });
    } else if (line.op === 'bytes_arrived') {
      record?.reads.push(bytes_of(line));
    } else if (record && (line.op === 'attempt_ended' || line.op === 'attempt_broke')) {
      record.end = line.op === 'attempt_ended' ? 'clean' : 'reset';
    }
  }
  return [...attempts.values()].map(({ status, headers, reads, end }) => ({
                                      response: {
                                        status,
                                        headers,
                                        body_base64: Buffer.concat(reads).toString('base64'),
                                        chunk_sizes: reads.map(({ length }) => length),
                                      },
                                      end,
                                    }));
}
