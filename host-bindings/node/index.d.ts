// Types of the Node entry.
import type { Server } from 'node:http';
import type { Gateway } from '../index.js';

export * from '../index.js';

export interface Served {
  port: number;
  url: string;
  server: Server;
  /** Takes no further request; settles when those under way are done. */
  close(): Promise<void>;
}

/** Serves over HTTP on 127.0.0.1:8787 unless told otherwise; port 0 takes a free one. */
export function serve(gateway: Gateway, options?: { port?: number; host?: string }): Promise<Served>;

/** Where the packaged shunt.wasm is. */
export function wasmFile(): string;
