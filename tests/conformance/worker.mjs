// A Worker that replays the trace it is sent and answers with the effect log; one instance for all requests.
import module from './shunt.wasm';
import {effect_log, instantiate} from './replay_trace.mjs';

const core = instantiate(module);

export default {
  async fetch(request) {
    return new Response(effect_log(await core, await request.text()));
  },
};
