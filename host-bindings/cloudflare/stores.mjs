// Which binding of a Worker keeps shared health, and what to write into wrangler.toml when it is missing.
import {durableObjectStore} from '../stores/durable_object.mjs';
import {kvStore} from '../stores/kv.mjs';

const kStores = {
  kv: {
    binding: 'SHUNT_KV',
    open: (namespace) => kvStore(namespace),
    toml: `[[kv_namespaces]]
binding = "SHUNT_KV"
id = "…"   # wrangler kv namespace create SHUNT_KV`,
  },
  durable_object: {
    binding: 'SHUNT_STATE',
    open: (namespace, shard) => durableObjectStore(namespace, shard),
    toml: `[[durable_objects.bindings]]
name = "SHUNT_STATE"
class_name = "ShuntState"
[[migrations]]
tag = "shunt-1"
new_sqlite_classes = ["ShuntState"]`,
  },
};

/** For createGateway's `store`: what the configuration names, from the bindings. */
export const boundStore = (env) => ({store, shard}) => {
  const row = kStores[store];
  if (!row) throw new Error(`a Worker has ${Object.keys(kStores).join(' and ')}.`);
  const namespace = env[row.binding];
  if (!namespace) throw new Error(`no binding ${row.binding}. Add to wrangler.toml:\n${row.toml}\n`);
  return row.open(namespace, shard);
};
