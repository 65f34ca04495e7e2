// scripts/dev bench answer: processor time of workerd for a whole answer of 1,000 events, sent in bursts of
// 20, beside a Worker that only reads and writes. Ratios are of one run.
import {execFileSync} from 'node:child_process';
import {readFileSync, readdirSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {Miniflare, startWorker} from '../../scripts/lib/worker.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
execFileSync(join(root, 'scripts/dev'), ['build', 'wasi'], { stdio: 'inherit' });

const kEvents = 1000;
const kBurst = 20;
const kAnswers = 60;
const kRounds = 3;
const kBudgetMs = 10;

// ---- providers ----

const words = (i) => ` word${i}`;
const named = (type, more) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const kStreams = {
  openai: () => {
    const chunk = (delta, finish_reason = null) => `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })}\n\n`;
    const texts = Array.from({ length: kEvents }, (_, i) => chunk({ content: words(i) }));
    return [...texts, `${chunk({}, 'stop')}data: [DONE]\n\n`];
  },
  anthropic: () => {
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] };
    const opens =
        named('message_start', { message: {...message, usage: { input_tokens: 1, output_tokens: 1 } } }) +
        named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    const texts = Array.from(
        { length: kEvents },
        (_, i) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: words(i) } }));
    const closes = named('content_block_stop', { index: 0 }) +
        named('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: kEvents } }) +
        named('message_stop', {});
    return [opens, ...texts, closes];
  },
};

async function provider(events) {
  const bursts = [];
  for (let at = 0; at < events.length; at += kBurst) bursts.push(events.slice(at, at + kBurst).join(''));
  const server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const burst of bursts) {
      response.write(burst);
      await pause(1);
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

// ---- processor time ----

/** What the workerd processes below this one have used, in ticks of user and system time. */
function ticks() {
  const stats = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [, ppid, , , , , , , , , , utime, stime] = text.slice(text.lastIndexOf(')') + 2).split(' ');
      return { pid: Number(pid), name: text, ppid: Number(ppid), used: Number(utime) + Number(stime) };
    } catch {
      return undefined;
    }
  });
  const workers = stats.filter((stat) => stat?.ppid === process.pid && stat.name.includes('(workerd'));
  return workers.reduce((sum, { used }) => sum + used, 0);
}
const kTickMs = 1000 / Number(execFileSync('getconf', ['CLK_TCK']).toString());

/** Milliseconds of workerd for one answer; the best of some rounds. */
async function cost(ask) {
  for (let i = 0; i < 20; ++i) await ask(); // warm
  let best = Infinity;
  for (let round = 0; round < kRounds; ++round) {
    const before = ticks();
    for (let i = 0; i < kAnswers; ++i) await ask();
    best = Math.min(best, (ticks() - before) * kTickMs / kAnswers);
  }
  return best;
}

const asks = (url, model) => async () => {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'go' }] }),
  });
  const text = await response.text();
  if (!text.includes(words(kEvents - 1))) throw new Error(`a broken answer: ${text.slice(0, 300)}`);
};

// ---- what is compared ----

const identity = (target) => `
export default {
  async fetch(request) {
    const answer = await fetch('${target}', { method: 'POST', body: await request.text() });
    const { readable, writable } = new TransformStream();
    const pump = async () => {
      const reader = answer.body.getReader();
      const writer = writable.getWriter();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return writer.close();
        await writer.write(value);
      }
    };
    pump();
    return new Response(readable, answer);
  },
};`;

const openai = await provider(kStreams.openai());
const anthropic = await provider(kStreams.anthropic());
const config = {
  providers: {
    o: { dialect: 'openai_chat', base_url: `${openai.url}/v1`, keys: ['KEY'] },
    a: { dialect: 'anthropic_messages', base_url: anthropic.url, keys: ['KEY'] },
  },
  deployments: [
    { id: 'same@o', provider: 'o', model: 'm' },
    { id: 'cross@a', provider: 'a', model: 'm', max_tokens: 4000 },
  ],
};

/** A Worker that only reads and writes what `target` sends. */
async function bare(target) {
  const plain = new Miniflare({
    modules: true,
    script: identity(target),
    compatibilityDate: '2026-04-01',
    host: '127.0.0.1',
    port: 0,
    cf: false,
  });
  try {
    return await cost(asks((await plain.ready).href.replace(/\/$/, ''), 'any'));
  } finally {
    await plain.dispose();
  }
}

const bases = {
  openai: await bare(openai.url),
  anthropic: await bare(anthropic.url)
};
const worker = await startWorker({ config, env: { KEY: 'k' } });
const line = (name, ms, base) => console.log(`${name.padEnd(44)}${ms.toFixed(1).padStart(8)} ms${
    (ms / base).toFixed(2).padStart(9)} ×${ms > kBudgetMs ? `   over ${kBudgetMs} ms` : ''}`);
try {
  console.log(`workerd, per answer of ${kEvents} events in bursts of ${kBurst}, budget ${kBudgetMs} ms`);
  for (const [name, model, from] of [
           ['same dialect', 'same@o', 'openai'],
           ['anthropic_messages to openai_chat', 'cross@a', 'anthropic']]) {
    line(`a Worker that reads and writes, ${from}`, bases[from], bases[from]);
    const ms = await cost(asks(worker.url, model));
    line(`shunt, ${name}`, ms, bases[from]);
    if (ms > kBudgetMs) process.exitCode = 1;
  }
} finally {
  await worker.close();
  for (const { server } of [openai, anthropic]) {
    server.closeAllConnections();
    server.close();
  }
}
