// The gateway in Node, served over HTTP as the package's Node entry serves it. Gives what startWorker gives,
// and the core's memory.
import {createGateway, serve} from '../../../host-bindings/node/index.mjs';

export async function startNode({config, env = {}, record} = {}) {
  const records = [];
  const gateway = createGateway(config, {
    env,
    record,
    onRecord: (text) => records.push(JSON.parse(text)),
    onLog: () => {},
  });
  const server = await serve(gateway, { port: 0 });
  return {
    url: server.url,
    records,
    /** Bytes of WebAssembly memory, which never shrinks: its highest use so far. */
    memory: () => gateway.core.memory().reserved,
    close: async () => {
      await gateway.close();
      server.server.closeAllConnections();
      await server.close();
    },
  };
}
