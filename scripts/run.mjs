// `scripts/dev run`: the gateway in real workerd on this machine. Without a configuration it brings three
// simulated providers, one of which fails by plan, and sends a few requests itself, so that a failover is
// seen at once. Knows what to show, not how it works.
import {existsSync, readFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {createGateway, faultLine} from '../host-bindings/node/index.mjs';
import {createProvider} from '../tests/providers/server.mjs';
import {startWorker} from './lib/worker.mjs';

const kHelp = `usage: scripts/dev run [OPTIONS]

  --config FILE   use this shunt.json and the keys of its providers from the environment
                  (default: ./shunt.json when there is one, else three simulated providers)
  --port N        where to listen on 127.0.0.1 (8787)
  --record FILE   write everything the core was told, as shunt-trace/1 lines, for replay
  --once          end after the demonstration
  --help          this text
`;

const kPort = 8787;

// ---- the simulated world ----

// What the first line does with the calls of the demonstration and those after it, again and again.
const kMoody = [
  'ok',
  { name: 'limited_seconds', wait_s: 2 },
  'ok',
  'reset_before_head',
  'error_first',
  'ok',
  'overloaded_529',
  'stall_no_event',
  'cut',
];
const kLines = [
  {
    id: 'swift@north',
    dialect: 'openai',
    script: kMoody,
    says: 'fails by plan: 429, resets, stalls, cuts …'
  },
  { id: 'steady@south', dialect: 'anthropic', script: [{ name: 'slow_drip', ms: 5 }], says: 'always well' },
  { id: 'spare@west', dialect: 'openai', script: ['ok'], says: 'always well' },
];
const kSpoken = {
  openai: { dialect: 'openai_chat', path: '/v1', label: 'OpenAI format' },
  anthropic: { dialect: 'anthropic_messages', path: '', label: 'Anthropic format' },
};

async function simulated() {
  const lines = [];
  for (const line of kLines) {
    lines.push(
        {...line, provider: await createProvider({...line, cycle: true }), place: line.id.split('@')[1] });
  }
  const variable = ({ place }) => `${place.toUpperCase()}_KEY`;
  const config = {
    defaults: { timeouts: { first_byte_ms: 1000, first_token_ms: 2000, idle_ms: 2000 } },
    providers: Object.fromEntries(
        lines.map((line) => {
          const { dialect, path } = kSpoken[line.dialect];
          return [line.place, { dialect, base_url: line.provider.url + path, keys: [variable(line)] }];
        }),
        ),
    deployments:
        lines.map(({ id, place }, i) => ({ id, provider: place, model: id.split('@')[0], priority: i + 1 })),
    routes: { chat: { deployments: lines.map(({ id }) => id) } },
  };
  const env = Object.fromEntries(lines.map((line) => [variable(line), `simulated-key-of-${line.place}`]));
  const close = () => Promise.all(lines.map(({ provider }) => provider.close()));
  return { config, env, lines, close };
}

// ---- a configuration of one's own ----

function configured(path) {
  const text = readFileSync(path, 'utf8');
  // Throws with every mistake and its place; that Node has no binding for a store is none.
  const { catalog } = createGateway(text, { onFault() {} });
  for (const warning of catalog.warnings) console.log(`${path}:\n${faultLine(warning)}`);
  const config = JSON.parse(text);
  const names =
      Object.values(config.providers ?? {}).flatMap(({ keys }) => (Array.isArray(keys) ? keys : []));
  if (config.admin?.token) names.push(config.admin.token);
  const missing = names.filter((name) => process.env[name] === undefined);
  if (missing.length > 0) console.log(`not in the environment: ${missing.join(', ')}`);
  const env =
      Object.fromEntries(names.filter((name) => process.env[name]).map((name) => [name, process.env[name]]));
  return { config: text, env, lines: [], close: async () => {}, route: Object.keys(config.routes ?? {})[0] };
}

// ---- what is shown ----

const padded = (text, width) => String(text).padEnd(width);
const kColumns = [4, 26, 14, 10];
const row = (...cells) => cells.map((cell, i) => padded(cell, kColumns[i] ?? 0)).join('').trimEnd();

const failure_of = ({ deployment, status, verdict }) => {
  const what = [verdict.class, status >= 300 && `HTTP ${status}`, verdict.sub].filter(Boolean);
  const wait = verdict.retry_after_ms ? `, wait ${(verdict.retry_after_ms / 1000).toFixed(1)} s` : '';
  return `${deployment}: ${what.join(', ')}${wait}`;
};

/** One line of a decision record: who was asked for what, who answered, after how many attempts, and why. */
function told(record, number) {
  const { attempts } = record;
  const failed = attempts.filter(({ verdict }) => verdict);
  const answered = attempts.find(({ outcome }) => outcome === 'success');
  const out =
      record.lines.filter(({ state }) => state === 'out').map(({ id, cause }) => `${id} is out (${cause})`);
  const why = [...failed.map((attempt) => `after ${failure_of(attempt)}`), ...out];
  if (record.result !== 'answered') why.unshift(record.result.replace('_', ' '));
  return row(
      number,
      `${record.route}, ${record.stream ? 'stream' : 'plain'}, ${record.dialect.split('_')[0]}`,
      answered?.deployment ?? '-',
      `${attempts.length} call${attempts.length === 1 ? '' : 's'}`,
      why.join('; ') || 'first choice',
  );
}

const body_for = (route) =>
    JSON.stringify({ model: route, stream: true, messages: [{ role: 'user', content: 'Hello!' }] });

function show_how_to_call(url, route) {
  console.log(`
Try it:

  curl -N ${url}/v1/chat/completions -H 'content-type: application/json' \\
    -d '${body_for(route)}'

  import OpenAI from 'openai';
  const client = new OpenAI({ baseURL: '${url}/v1', apiKey: 'any' });
  const stream = await client.chat.completions.create({
    model: '${route}', stream: true, messages: [{ role: 'user', content: 'Hello!' }],
  });
  for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '');
`);
}

// ---- the demonstration ----

const kAsks = [
  { path: '/v1/chat/completions', stream: true },
  { path: '/v1/chat/completions', stream: true },                  // the 429, and the failover
  { path: '/v1/messages', stream: true },                          // inside the wait
  { path: '/v1/chat/completions', stream: false, pause_ms: 2100 }, // after it
  { path: '/v1/chat/completions', stream: true },                  // a reset
  { path: '/v1/messages', stream: true },                          // an error as first event
];

async function demonstrate(url, next_record) {
  for (const { path, stream, pause_ms = 0 } of kAsks) {
    await new Promise((resolve) => setTimeout(resolve, pause_ms));
    const body = {
      model: 'chat',
      stream,
      max_tokens: 200,
      messages: [{ role: 'user', content: 'Who is there?' }]
    };
    const recorded = next_record();
    const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
    await response.text();
    await recorded;
  }
}

// ---- main ----

async function main() {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      port: { type: 'string' },
      record: { type: 'string' },
      once: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return process.stdout.write(kHelp);

  const path = values.config ?? (existsSync('shunt.json') ? 'shunt.json' : undefined);
  const world = path ? configured(path) : await simulated();
  let count = 0;
  let heard = () => {};
  const worker = await startWorker({
    config: world.config,
    env: world.env,
    port: Number(values.port ?? kPort),
    record: values.record,
    on_record: (record) => {
      if (record.attempts.length === 0 && record.result === 'local') return; // /healthz and the like
      console.log(told(record, ++count));
      heard();
    },
  });
  const end = async () => {
    await worker.close();
    await world.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end().then(() => process.exit(0)));

  console.log(`\nShunt in workerd: ${worker.url}\n`);
  for (const { id, dialect, provider, says } of world.lines) {
    console.log(`  ${padded(id, 14)}${padded(kSpoken[dialect].label, 18)}${padded(provider.url, 24)}${says}`);
  }
  console.log(`\n${row('#', 'asked', 'answered by', 'calls', 'why')}`);
  if (!path) {
    await demonstrate(worker.url, () => new Promise((resolve) => (heard = resolve)));
  }
  if (values.once) return end();
  show_how_to_call(worker.url, world.route ?? 'chat');
  console.log('Each request is a line below. Ctrl-C ends.\n');
}

await main().catch((error) => {
  console.error(`run: ${error.message}`);
  process.exitCode = error.code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1;
});
