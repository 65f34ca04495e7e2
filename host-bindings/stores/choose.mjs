// Which store a gateway uses: the one that its configuration names, if the host has it; else the memory of
// this process, and why.
import {memoryStore} from './memory.mjs';

const kAlone = 'Until then each isolate has the health that it saw itself.';

/**
 * `state`: of the catalog. `given`: a store, or a function of `state` that gives one or throws what to do
 * about its absence; undefined = none. Returns {store} or {store, missing: Error}.
 */
export function chooseStore(state, given) {
  if (state.store === 'memory') return { store: memoryStore() };
  try {
    const store = typeof given === 'function' ? given(state) : given;
    if (store) return { store };
    throw new Error('give createGateway a `store` that keeps it.');
  } catch (error) {
    const words = `"state" names the store "${state.store}", which is not there: ${error.message} ${kAlone}`;
    return { store: memoryStore(), missing: new Error(words) };
  }
}

/** The same configuration with health kept in memory; what the core accepted is JSON. */
export function withoutStore(text) {
  const config = JSON.parse(text);
  return JSON.stringify({...config, state: { store: 'memory' } });
}
