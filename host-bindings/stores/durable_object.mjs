// A Cloudflare Durable Object as a store, both sides of it: the object, which keeps documents, grants leases
// and shares quotas out, and the client that asks it. Strongly consistent: one object for each shard.
import {takeShare} from './quota.mjs';

const kTables = `
  CREATE TABLE IF NOT EXISTS documents (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leases (key TEXT PRIMARY KEY, ends INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS quotas (key TEXT PRIMARY KEY, level REAL NOT NULL, at INTEGER NOT NULL)
  WITHOUT ROWID;`;

/**
 * The class to export from a Worker and to name in its migrations (`new_sqlite_classes`). Its requests carry
 * the key in the path: GET and PUT of /documents/KEY, POST of /leases/KEY?ttl=MS and of
 * /quotas/KEY?amount=N&per_minute=N&burst=N.
 */
export class ShuntState {
  #storage;
  #sql;

  constructor(context) {
    this.#storage = context.storage;
    this.#sql = context.storage.sql;
    this.#sql.exec(kTables);
  }

  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const [, table, name] = pathname.split('/');
    const key = decodeURIComponent(name ?? '');
    switch (`${request.method} ${table}`) {
      case 'GET documents':
        return this.#get(key);
      case 'PUT documents':
        return this.#put(key, await request.arrayBuffer());
      case 'POST leases':
        return this.#lease(key, Number(searchParams.get('ttl')));
      case 'POST quotas':
        return this.#take(key, (name) => Number(searchParams.get(name)));
      default:
        return new Response(null, { status: 400 });
    }
  }

  /** Leases that are over go; the next alarm is for the end of the first that is left. */
  async alarm() {
    this.#expire(Date.now());
    const [{ first }] = this.#sql.exec('SELECT min(ends) AS first FROM leases').toArray();
    if (first !== null) await this.#storage.setAlarm(first);
  }

  #get(key) {
    const [row] = this.#sql.exec('SELECT bytes FROM documents WHERE key = ?', key).toArray();
    return row ? new Response(row.bytes) : new Response(null, { status: 404 });
  }

  #put(key, bytes) {
    this.#sql.exec('INSERT OR REPLACE INTO documents VALUES (?, ?)', key, bytes);
    return new Response(null, { status: 204 });
  }

  // No await between look and take: nobody comes in between.
  async #lease(key, ttl) {
    if (!(ttl > 0)) return new Response(null, { status: 400 });
    const now = Date.now();
    this.#expire(now);
    const ends = Math.ceil(now + ttl);
    const { rowsWritten } = this.#sql.exec('INSERT OR IGNORE INTO leases VALUES (?, ?)', key, ends);
    if (rowsWritten === 0) return new Response(null, { status: 409 });
    const alarm = await this.#storage.getAlarm();
    if (alarm === null || alarm > ends) await this.#storage.setAlarm(ends);
    return new Response(null, { status: 204 });
  }

  #take(key, number) {
    const share = { amount: number('amount'), per_minute: number('per_minute'), burst: number('burst') };
    if (!Object.values(share).every((n) => Number.isSafeInteger(n) && n > 0))
      return new Response(null, { status: 400 });
    const [row] = this.#sql.exec('SELECT level, at FROM quotas WHERE key = ?', key).toArray();
    const { bucket, granted, wait_ms } = takeShare(row, Date.now(), share);
    this.#sql.exec('INSERT OR REPLACE INTO quotas VALUES (?, ?, ?)', key, bucket.level, bucket.at);
    return Response.json({ granted, wait_ms });
  }

  #expire(now) {
    this.#sql.exec('DELETE FROM leases WHERE ends <= ?', now);
  }
}

/** `namespace`: the binding of ShuntState; `shard` names the object. */
export function durableObjectStore(namespace, shard) {
  const id = namespace.idFromName(shard);
  // A stub of each call's own: one that has failed stays broken.
  async function ask(path, init, accepted) {
    const response = await namespace.get(id).fetch(`https://shunt.internal/${path}`, init);
    if (!accepted.includes(response.status))
      throw new Error(`the Durable Object answered ${response.status}`);
    return response;
  }
  const documents = (key) => `documents/${encodeURIComponent(key)}`;
  return {
    async get(key) {
      const response = await ask(documents(key), { method: 'GET' }, [200, 404]);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return response.status === 200 ? bytes : undefined;
    },
    async put(key, body) {
      await ask(documents(key), { method: 'PUT', body }, [204]);
    },
    async lease(key, ttl_ms) {
      const path = `leases/${encodeURIComponent(key)}?ttl=${ttl_ms}`;
      return (await ask(path, { method: 'POST' }, [204, 409])).status === 204;
    },
    async take(key, { amount, per_minute, burst }) {
      const share = new URLSearchParams({ amount, per_minute, burst });
      const path = `quotas/${encodeURIComponent(key)}?${share}`;
      return (await ask(path, { method: 'POST' }, [200])).json();
    },
  };
}
