// Events of the stream as bytes. They are made once and never change, so that all streams of an account share them.
import { type LoggedOperation, operationJson } from './operation-log.ts';

export const event = (name: string, data: unknown): Buffer =>
  bytesOf(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

/** The events of operations that follow each other. */
export const framesOf = (operations: readonly LoggedOperation[]): Buffer => bytesOf(operations.map(frame).join(''));

/** Operations from the log that are written at once. */
export interface Chunk {
  readonly first: number;
  readonly last: number;
  readonly bytes: Buffer;
  /** More was read than is written at once. */
  readonly isCut: boolean;
}

/** As many of the operations as a number of bytes allows, but one at least; undefined if there are none. */
export function chunkOf(found: readonly LoggedOperation[], most: number): Chunk | undefined {
  const [first] = found;
  if (!first) return undefined;
  let text = '';
  let count = 0;
  for (const operation of found) {
    const next = frame(operation);
    if (count > 0 && text.length + next.length > most) break;
    text += next;
    count += 1;
  }
  const { revision: last } = found[count - 1] as LoggedOperation;
  return { first: first.revision, last, bytes: bytesOf(text), isCut: count < found.length };
}

const frame = (operation: LoggedOperation): string =>
  `id: ${operation.revision}\ndata: ${operationJson(operation)}\n\n`;

/** Memory of its own: a slice of the common pool, left unread by one client, would keep the whole pool. */
function bytesOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafeSlow(length);
  // Text of one byte per character needs no encoding.
  bytes.write(text, length === text.length ? 'latin1' : 'utf8');
  return bytes;
}
