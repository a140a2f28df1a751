// Encodes events of the stream as bytes. Nobody changes these bytes afterwards, so all streams of an account share
// them.
import { type LoggedOperation, operationJson } from './operation-log.ts';

export const event = (name: string, data: unknown): Buffer =>
  bytesOf(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

/** The event that makes a client connect again. */
export const RECONNECT = event('reconnect', {});

/** Returns the bytes of some consecutive operations. */
export const framesOf = (operations: readonly LoggedOperation[]): Buffer => bytesOf(operations.map(frame).join(''));

/** Consecutive operations of the log that are written at once. */
export interface Chunk {
  readonly first: number;
  readonly last: number;
  /** The time at which the first operation was added to the log. */
  readonly createdTime: number;
  readonly bytes: Buffer;
  /** True if some of the operations that were read did not fit into this chunk. */
  readonly isCut: boolean;
}

/**
 * Returns as many operations as fit into `most` bytes, but at least one; undefined if there are none. Ends before a gap:
 * a log that is trimmed meanwhile keeps single operations. The next chunk begins behind the gap, and so reveals it.
 */
export function chunkOf(found: readonly LoggedOperation[], most: number): Chunk | undefined {
  const [first] = found;
  if (!first) return undefined;
  let text = '';
  let count = 0;
  for (const operation of found) {
    if (operation.revision !== first.revision + count) break;
    const next = frame(operation);
    if (count > 0 && text.length + next.length > most) break;
    text += next;
    count += 1;
  }
  const { revision: last } = found[count - 1] as LoggedOperation;
  const { revision, createdTime } = first;
  return { first: revision, last, createdTime, bytes: bytesOf(text), isCut: count < found.length };
}

const frame = (operation: LoggedOperation): string =>
  `id: ${operation.revision}\ndata: ${operationJson(operation)}\n\n`;

/**
 * Returns the text as bytes in a separate block of memory. A slice of Node's shared pool would keep the whole pool
 * alive while a client leaves the bytes unread.
 */
function bytesOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafeSlow(length);
  // If each character has one byte, the text is ASCII; `latin1` writes it without conversion.
  bytes.write(text, length === text.length ? 'latin1' : 'utf8');
  return bytes;
}
