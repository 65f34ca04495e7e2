// A store as the core's requests meet it: one effect, one answer, whatever the store does. Says once when
// the store begins to fail and once when it is back.
import {bytesOf, textOf} from '../core.mjs';

/** By number, as in io.h. */
export const storeResults = ['ok', 'missing', 'failed'];
const kOk = {
  a: storeResults.indexOf('ok')
};
const kMissing = {
  a: storeResults.indexOf('missing')
};
const kFailed = {
  a: storeResults.indexOf('failed')
};

const kAsk = {
  async store_get(store, { payload }) {
    const bytes = await store.get(textOf(payload));
    return bytes === undefined ? kMissing : {...kOk, payload: bytes };
  },
  async store_put(store, { a: keyBytes, payload }) {
    await store.put(textOf(payload.subarray(0, keyBytes)), payload.subarray(keyBytes));
    return kOk;
  },
  async store_lease(store, { t, payload }) {
    return (await store.lease(textOf(payload), t)) ? kOk : kMissing;
  },
  async store_take(store, { a: keyBytes, payload }) {
    const [amount, per_minute, burst] = textOf(payload.subarray(keyBytes)).split(' ').map(Number);
    const key = textOf(payload.subarray(0, keyBytes));
    const { granted, wait_ms } = await store.take(key, { amount, per_minute, burst });
    if (![granted, wait_ms].every((n) => Number.isSafeInteger(n) && n >= 0))
      throw new Error(`take answered granted ${granted}, wait_ms ${wait_ms}: no whole numbers from 0`);
    return {...kOk, payload: bytesOf(`${granted} ${wait_ms}`) };
  },
};
const kNoShares = 'the store shares no quotas out (it has no take): each isolate keeps to the limits alone';

export class Keeper {
  #store;
  #onFault;
  #down = false;
  #shareless = false;

  constructor(store, onFault) {
    this.#store = store;
    this.#onFault = onFault;
  }

  /** The fields of store_answered for an effect; never rejects. */
  async answer(effect) {
    if (effect.op === 'store_take' && !this.#store.take) return this.#noShares();
    try {
      const answer = await kAsk[effect.op](this.#store, effect);
      this.#say(false);
      return answer;
    } catch (error) {
      this.#say(true, error);
      return kFailed;
    }
  }

  #noShares() {
    if (!this.#shareless) this.#onFault(new Error(kNoShares));
    this.#shareless = true;
    return kFailed;
  }

  #say(down, error) {
    if (down === this.#down) return;
    this.#down = down;
    const words = down ? 'does not answer; health stays within this isolate until it does' : 'answers again';
    this.#onFault(new Error(`the store ${words}`, { cause: error }));
  }
}
