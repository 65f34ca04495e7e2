// scripts/dev bench plan: what choosing a line costs natively: a plan over 8 lines, and an engine of 10,000.
import {budget, line, rowsOf} from './native_rows.mjs';

const of = rowsOf('bench_plan');

line('a plan over 8 lines', ['ns', 'of the first']);
const [first] = of('plan');
for (const { strategy, state, ns } of of ('plan'))
  line(`  ${strategy}, ${state}`, [ns.toFixed(0), (ns / first.ns).toFixed(2)]);
line('  the first', [first.ns.toFixed(0), budget(first.ns, 500)]);

console.log();
line('lines, of them to a provider', ['load ms', 'engine ms', 'both', 'a plan of 8 ns']);
for (const { lines, a_provider, load_ms, engine_ms, plan_ns } of of ('load')) {
  const both = load_ms + engine_ms;
  line(
      `  ${lines}, ${a_provider}`,
      [load_ms.toFixed(1), engine_ms.toFixed(1), budget(both, 100), plan_ns.toFixed(0)]);
}

console.log();
line('bytes of an idle line', ['catalog', 'all else', 'budget']);
for (const { lines, a_provider, catalog, bytes } of of ('load').slice(1))
  line(`  ${lines}, ${a_provider}`, [catalog, bytes - catalog, budget(bytes - catalog, 1024)]);
