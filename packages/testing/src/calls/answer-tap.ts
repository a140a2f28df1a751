// Records what a server writes as the answer to one call, and can cut the answer or hold it back.
import type { ServerResponse } from 'node:http';

/** The result for an answer: it is sent whole, cut after a number of bytes of its body, or held back and never sent. */
export type AnswerFate = { readonly cutAfter: number } | 'whole' | 'held';

export interface AnswerTap {
  readonly status: number | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** The number of bytes of the body that the server wrote. */
  readonly bytes: number;
  /** The beginning of the body, up to the number of bytes that are kept. */
  kept(): Buffer;
  /** Drops the kept beginning of the body. */
  forget(): void;
  fate: AnswerFate;
}

/** Maximum number of bytes of a body that are kept. */
const KEPT = 256 * 1024;

type Write = (this: ServerResponse, chunk: unknown, ...rest: unknown[]) => boolean;

/**
 * Puts a tap on a response. Nothing may have been written to the response before.
 * @param onChunk called with each piece of the body
 */
export function tapAnswer(response: ServerResponse, onChunk: (chunk: Buffer) => void): AnswerTap {
  let head: { status: number; headers: readonly (readonly [string, string])[] } | undefined;
  let bytes = 0;
  const pieces: Buffer[] = [];
  const tap: AnswerTap = {
    get status() {
      return head?.status;
    },
    get headers() {
      return head?.headers ?? [];
    },
    get bytes() {
      return bytes;
    },
    kept: () => Buffer.concat(pieces).subarray(0, KEPT),
    forget() {
      pieces.length = 0;
    },
    fate: 'whole',
  };
  const own = { writeHead: response.writeHead, write: response.write, end: response.end, flush: response.flushHeaders };

  response.writeHead = function writeHead(this: ServerResponse, status: number, ...rest: unknown[]) {
    head = { status, headers: pairsOf(rest.find((given) => typeof given === 'object' && given !== null) ?? {}) };
    return Reflect.apply(own.writeHead, this, [status, ...rest]) as ServerResponse;
  } as typeof response.writeHead;
  response.flushHeaders = function flushHeaders(this: ServerResponse) {
    if (tap.fate === 'whole' || goesFurther(tap.fate, 0)) own.flush.call(this);
  };
  response.write = through(own.write as Write) as typeof response.write;
  response.end = function end(this: ServerResponse, chunk?: unknown, ...rest: unknown[]) {
    if (isChunk(chunk)) note(bytesIn(chunk, rest[0]));
    if (tap.fate === 'whole') return Reflect.apply(own.end, this, [chunk, ...rest]) as ServerResponse;
    if (tap.fate === 'held') return this;
    cutAt(this, tap.fate.cutAfter, isChunk(chunk) ? bytesIn(chunk, rest[0]) : NONE);
    // An answer shorter than `cutAfter` is not cut, so it ends normally.
    return bytes < tap.fate.cutAfter ? (Reflect.apply(own.end, this, []) as ServerResponse) : this;
  } as typeof response.end;
  return tap;

  function through(write: Write): Write {
    return function written(this: ServerResponse, chunk, ...rest) {
      const piece = isChunk(chunk) ? bytesIn(chunk, rest[0]) : NONE;
      note(piece);
      if (tap.fate === 'whole' || goesFurther(tap.fate, bytes)) return write.call(this, chunk, ...rest);
      if (tap.fate !== 'held') cutAt(this, tap.fate.cutAfter, piece);
      // Calls the callback as if the piece had been sent, because the server may wait for it before it writes more.
      const gone = rest.find((given) => typeof given === 'function');
      if (gone) setImmediate(gone as () => void);
      return true;
    };
  }

  function note(piece: Buffer): void {
    if (bytes < KEPT) pieces.push(piece);
    bytes += piece.length;
    onChunk(piece);
  }

  /**
   * Writes the part of a piece that lies before the cut, and closes the connection if the piece reaches the cut.
   * `bytes` already includes the piece.
   */
  function cutAt(to: ServerResponse, most: number, piece: Buffer): void {
    const before = bytes - piece.length;
    const part = piece.subarray(0, Math.max(0, most - before));
    if (part.length > 0) Reflect.apply(own.write, to, [part]);
    if (bytes < most) return;
    // `end` still sends the bytes that were written; `destroy` would lose them.
    if (part.length > 0) to.socket?.end();
    else to.destroy();
  }
}

const NONE = Buffer.alloc(0);
const goesFurther = (fate: AnswerFate, bytes: number): boolean => typeof fate === 'object' && fate.cutAfter > bytes;
const isChunk = (chunk: unknown): chunk is string | Uint8Array =>
  typeof chunk === 'string' || chunk instanceof Uint8Array;

function bytesIn(chunk: string | Uint8Array, encoding: unknown): Buffer {
  if (typeof chunk !== 'string') return Buffer.from(chunk);
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}

/** Returns headers as pairs. `writeHead` takes them as a flat list or as an object. */
function pairsOf(headers: object): readonly (readonly [string, string])[] {
  if (!Array.isArray(headers)) return Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const flat = headers.map(String);
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ''] as const] : []));
}
