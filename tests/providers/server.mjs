// A real HTTP server on the loopback that plays scripted providers and tells what it was asked. Knows wire
// formats by name only and nothing of the gateway.
//
//   const provider = await createProvider({ dialect: 'openai', script: 'ok' });
//   provider.next('error_500', { name: 'limited_seconds', wait_s: 2 });   // for the coming calls; then the
//   script again provider.url, provider.calls, await provider.close()
//
// A script is the name of a row in behaviours.mjs, {name, …options}, {plan} (a plan as playRecorded makes
// it), or a list of them, whose last one stays (`cycle: true` starts again).
import {createServer} from 'node:http';
import * as anthropic from './anthropic.mjs';
import {behaviours} from './behaviours.mjs';
import {sha256} from './content.mjs';
import * as gemini from './gemini.mjs';
import * as openai from './openai.mjs';
import * as responses from './responses.mjs';

const kDialects = {
  openai,
  responses,
  anthropic,
  gemini
};
const kLoggedBodyBytes = 256 * 1024; // a larger body is told by its length and hash

const now = () => performance.timeOrigin + performance.now();
const list_of = (script) => (Array.isArray(script) ? script : [script]);
const named = (script) => (typeof script === 'string' ? { name: script } : script);

/** Headers as a test may print them: a credential by the hash of it. */
const safe_headers = (headers) => Object.fromEntries(
    Object.entries(headers).map(
        ([name, value]) => /^(authorization|x-api-key|x-goog-api-key|api-key|cookie)$/.test(name) ?
            [name, `sha256:${sha256(value)}`] :
            [name, value],
        ),
);

async function body_of(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parsed(bytes) {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

/** The scripts in the order of the calls: those of next() first. */
function sequence(script, cycle) {
  const queued = [];
  const listed = list_of(script).map(named);
  let at = 0;
  return {
    push: (...scripts) => queued.push(...scripts.flatMap(list_of).map(named)),
    replace: (next) => {
      listed.splice(0, listed.length, ...list_of(next).map(named));
      at = 0;
    },
    take: () => {
      if (queued.length > 0) return queued.shift();
      const index = cycle ? at % listed.length : Math.min(at, listed.length - 1);
      at += 1;
      return listed[index];
    },
  };
}

function plan_of(script, context) {
  if (script.plan) return script.plan;
  const row = behaviours[script.name];
  if (!row) throw new Error(`no behaviour '${script.name}'`);
  return row.plan({...context, options: script });
}

/** Waits; true when the caller left meanwhile. */
const wait = (ms, left) => new Promise((resolve) => {
  if (left.aborted) return resolve(true);
  const done = () => {
    clearTimeout(timer);
    left.removeEventListener('abort', done);
    resolve(left.aborted);
  };
  const timer = setTimeout(done, ms);
  left.addEventListener('abort', done);
});

/**
 * Resolves when the chunk is written, or the connection is gone: on a later turn of the loop, so each chunk
 * is a write of its own.
 */
const flushed = (response, chunk) => new Promise((resolve) => {
  response.write(chunk, () => setImmediate(resolve));
});

async function perform(plan, response, left) {
  if (plan.head_ms > 0 && (await wait(plan.head_ms, left))) return;
  if (plan.status !== 0) {
    response.writeHead(plan.status, plan.headers);
    response.flushHeaders();
    for (const [index, chunk] of plan.chunks.entries()) {
      if (index > 0 && plan.gap_ms > 0 && (await wait(plan.gap_ms, left))) return;
      if (left.aborted) return;
      await flushed(response, chunk);
    }
  }
  if (left.aborted) return;
  switch (plan.end) {
    case 'clean':
      response.end();
      break;
    case 'reset':
      // What was written must have been read, or the kernel drops it with the connection.
      if (plan.status !== 0) await wait(20, left);
      response.socket?.resetAndDestroy();
      break;
    case 'close':
      response.socket?.destroy();
      break;
    case 'hang':
      break;
  }
}

/**
 * What a test may know of a call; `aborted_at` is when this side saw its caller leave before the answer's
 * end.
 */
function record_call(request, bytes, watch) {
  const raw =
      `${request.rawHeaders.join('\n')}\n${request.url}\n${bytes.length < kLoggedBodyBytes ? bytes : ''}`;
  const large = bytes.length >= kLoggedBodyBytes;
  return {
    at: now(),
    method: request.method,
    path: request.url,
    headers: safe_headers(request.headers),
    body: large ? null : parsed(bytes),
    body_bytes: bytes.length,
    body_sha256: sha256(bytes),
    model: null,
    stream: null,
    played: '',
    leaks: watch.filter((secret) => raw.includes(secret)).length,
    aborted: false,
    aborted_at: null,
    ended_at: null,
  };
}

export async function createProvider(
    {dialect = 'openai', script = 'ok', cycle = false, port = 0, watch = []} = {}) {
  const format = kDialects[dialect];
  if (!format) throw new Error(`no dialect '${dialect}'`);
  const scripts = sequence(script, cycle);
  const calls = [];
  const waiting = new Set(); // who waits for calls to change

  const changed = () => {
    for (const check of waiting) check();
  };

  async function answer_call(request, response) {
    const left = new AbortController();
    let breaks_off = false; // our own resets close the connection too
    const bytes = await body_of(request);
    const call = record_call(request, bytes, watch);
    calls.push(call);
    response.on('close', () => {
      call.ended_at = now();
      if (!response.writableFinished && !breaks_off) {
        call.aborted = true;
        call.aborted_at = call.ended_at;
      }
      left.abort();
      changed();
    });
    const body = parsed(bytes);
    const path = request.url.split('?')[0];
    const known = format.answers ? format.answers(path) : path === format.path;
    if (!known || body === null) {
      call.played = 'not_found';
      const status = body === null ? 400 : 404;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(
          JSON.stringify(format.error('bad_request', `no such thing: ${request.method} ${request.url}`)));
      return;
    }
    const script_now = scripts.take();
    call.played = script_now.name ?? 'recorded';
    changed();
    const ask = format.read(body, request.url);
    Object.assign(call, { model: ask.model, stream: ask.stream });
    const plan = plan_of(script_now, { dialect: format, ask });
    breaks_off = plan.end === 'reset' || plan.end === 'close';
    await perform(plan, response, left.signal);
  }

  const server = createServer((request, response) => {
    request.socket.setNoDelay(true);
    if (request.method === 'GET' && request.url === '/__calls') {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(calls));
      return;
    }
    answer_call(request, response).catch((error) => {
      // A caller that leaves while its body is read has no call to tell of; anything else is a fault of this
      // server.
      if (request.destroyed && !request.complete) return;
      console.error(error);
      response.destroy();
    });
  });
  // A caller's idle connection is not closed under its next request; only a script breaks off.
  server.keepAliveTimeout = 600_000;
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    dialect,
    url: `http://127.0.0.1:${server.address().port}`,
    calls,
    next: scripts.push,
    script: scripts.replace,
    /** Resolves with true once `test(calls)` holds, with false after `ms`. */
    until: (test, ms = 2000) => new Promise((resolve) => {
      const finish = (value) => {
        clearTimeout(timer);
        waiting.delete(check);
        resolve(value);
      };
      const check = () => test(calls) && finish(true);
      const timer = setTimeout(() => finish(false), ms);
      waiting.add(check);
      check();
    }),
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
