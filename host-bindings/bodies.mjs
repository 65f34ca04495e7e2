// Bodies that stay with the host: the client's, held in the chunks it came in, and an attempt's, made
// of literals and ranges of those chunks without copying them. Knows streams, not the core.

/** The client's body: chunks in order, those below the release point forgotten. */
export class HeldBody {
  #chunks = []; // {at, bytes}
  #end = 0;
  #released = false;

  push(bytes) {
    if (!this.#released && bytes.length > 0) this.#chunks.push({ at: this.#end, bytes });
    this.#end += bytes.length;
  }

  /** The chunks' own bytes for a range; nothing is copied. */
  range(offset, length) {
    const parts = [];
    const end = offset + length;
    for (let i = this.#find(offset); i < this.#chunks.length && this.#chunks[i].at < end; ++i) {
      const { at, bytes } = this.#chunks[i];
      parts.push(bytes.subarray(Math.max(0, offset - at), end - at));
    }
    return parts;
  }

  /** Bytes below `offset` will not be asked for again. */
  releaseTo(offset) {
    const keep = this.#chunks.findIndex(({ at, bytes }) => at + bytes.length > offset);
    this.#chunks.splice(0, keep < 0 ? this.#chunks.length : keep);
  }

  release() {
    this.#chunks = [];
    this.#released = true;
  }

  get heldBytes() {
    return this.#chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  #find(offset) {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const { at, bytes } = this.#chunks[middle];
      if (at + bytes.length <= offset)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
}

/** Pieces of an attempt (core.mjs: readAttempt) as parts: arrays of bytes in order. */
export const partsOf = (pieces, held) =>
    pieces.flatMap(({bytes, offset, length}) => (bytes ? [bytes] : held.range(offset, length)));

export const sizeOf = (parts) => parts.reduce((sum, {length}) => sum + length, 0);

export function join(parts) {
  if (parts.length === 1) return parts[0];
  const all = new Uint8Array(sizeOf(parts));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A stream over parts that are all there. */
export function streamOf(parts) {
  let next = 0;
  return new ReadableStream(
      {
        pull(controller) {
          if (next < parts.length) controller.enqueue(parts[next++]);
          if (next === parts.length) controller.close();
        },
        cancel() {
          next = parts.length;
        },
      },
      { highWaterMark: 0 },
  );
}

// Up to here a body is joined: a copy is cheaper than a stream, and every runtime then states its
// length.
const kJoinedBytes = 1024 * 1024;

/**
 * What fetch takes as a body of known length, with the options it then needs. `sized(parts, length)` is
 * the runtime's way to send a large one; without it FixedLengthStream where there is one (workerd),
 * else a Blob.
 */
export function bodyOf(parts, sized = sizedBody) {
  const length = sizeOf(parts);
  return length <= kJoinedBytes ? { body: join(parts) } : sized(parts, length);
}

function sizedBody(parts, length) {
  if (typeof FixedLengthStream === 'undefined') return { body: new Blob(parts) };
  const { readable, writable } = new FixedLengthStream(length);
  // A failure of the pump is the fetch's failure too, which is heard there.
  streamOf(parts).pipeTo(writable).catch(() => {});
  return { body: readable };
}

const kUploadQueueBytes = 256 * 1024;

/** A body that is sent while the client's still arrives. */
export class Upload {
  #controller;
  #drained = withResolvers();
  #over = false;

  constructor() {
    this.body = new ReadableStream(
        {
          start: (controller) => {
            this.#controller = controller;
          },
          pull: () => this.#drained.resolve(),
          cancel: () => this.stop(),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: kUploadQueueBytes }),
    );
  }

  push(parts) {
    if (this.#over) return;
    for (const part of parts)
      if (part.length > 0) this.#controller.enqueue(part);
  }

  end() {
    if (this.#over) return;
    this.#over = true;
    this.#controller.close();
  }

  /** Nobody reads it any more. */
  stop() {
    this.#over = true;
    this.#drained.resolve();
  }

  /** Settles when there is room again. */
  room() {
    if (this.#over || this.#controller.desiredSize > 0) return undefined;
    this.#drained = withResolvers();
    return this.#drained.promise;
  }
}

/** Promise.withResolvers, which Node 20 has not. */
export function withResolvers() {
  let resolve;
  let reject;
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
