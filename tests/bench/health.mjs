// scripts/dev bench health: what an outcome, a deployment and a refresh of shared health cost, natively.
import {budget, line, rowsOf} from './native_rows.mjs';

const of = rowsOf('bench_health');

line('an outcome, lines in the table', ['ns', 'of 1 line']);
const [first] = of('outcome');
for (const { lines, ns } of of ('outcome')) line(`  ${lines}`, [ns.toFixed(0), (ns / first.ns).toFixed(2)]);

console.log();
line('bytes of a deployment, of 1,000', ['bytes', 'budget']);
for (const { shared, idle, active } of of ('memory')) {
  const name = shared ? '100 to a provider' : 'nothing shared';
  line(`  idle, ${name}`, [idle, budget(idle, 1024)]);
  line(`  active, ${name}`, [active, budget(active, 8192)]);
}

console.log();
line('refresh, 10,000 lines of them out', ['bytes', 'write µs', 'read µs', 'ns a line out']);
for (const { out, bytes, write_ns, read_ns } of of ('refresh')) {
  const each = out === 0 ? '' : ((write_ns + read_ns) / out).toFixed(0);
  line(`  ${out}`, [bytes, (write_ns / 1000).toFixed(1), (read_ns / 1000).toFixed(1), each]);
}
