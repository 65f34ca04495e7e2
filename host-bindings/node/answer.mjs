// One node:http exchange as the gateway's request and answer. Keeps back-pressure both ways and tells
// when the client has left.

const kQueueBytes = 64 * 1024;

/**
 * The client's body as a stream that can be given up without breaking the connection: the answer still
 * has to go out on it.
 */
function bodyStream(incoming) {
  let givenUp = false;
  const start = (controller) => {
    const settle = (end) => () => {
      if (givenUp) return;
      givenUp = true;
      end();
    };
    incoming.on('data', (chunk) => {
      if (givenUp) return;
      controller.enqueue(chunk);
      if (controller.desiredSize <= 0) incoming.pause();
    });
    incoming.once(
        'end',
        settle(() => controller.close()),
    );
    incoming.once(
        'error',
        settle(() => controller.error(new Error('the client broke off'))),
    );
    incoming.once(
        'close',
        settle(() => controller.error(new Error('the client left'))),
    );
    incoming.pause();
  };
  const pull = () => {
    incoming.resume();
  };
  const cancel = () => {
    givenUp = true;
    incoming.resume(); // what still comes is read and thrown away
  };
  return new ReadableStream(
      { start, pull, cancel },
      new ByteLengthQueuingStrategy({ highWaterMark: kQueueBytes }),
  );
}

function requestOf(incoming, signal) {
  const { method, rawHeaders } = incoming;
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i], rawHeaders[i + 1]);
  const hasBody = headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0;
  const body = hasBody ? bodyStream(incoming) : null;
  return { method, url: new URL(incoming.url, 'http://gateway').href, headers, body, signal };
}

async function send(body, outgoing, left) {
  const reader = body.getReader();
  let wake = () => {};
  outgoing.on('drain', () => wake());
  left.addEventListener('abort', () => {
    wake();
    reader.cancel().catch(() => {});
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || left.aborted) break;
    if (outgoing.write(value) || left.aborted) continue;
    await new Promise((resolve) => (wake = resolve));
  }
  outgoing.end();
}

export async function answer(gateway, incoming, outgoing) {
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  try {
    const response = await gateway.fetch(requestOf(incoming, left.signal));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (!response.body) return outgoing.end();
    outgoing.flushHeaders();
    await send(response.body, outgoing, left.signal);
  } catch (error) {
    // An answer that broke must be seen to break; one that has not begun is the request's own fault
    // (its URL, its headers).
    if (outgoing.headersSent) return outgoing.destroy(error);
    outgoing.writeHead(400, { 'content-type': 'text/plain' });
    outgoing.end('This is not a request that can be read.\n');
  }
}
