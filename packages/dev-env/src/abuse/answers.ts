// Reads HTTP answers from the bytes of a connection, without trusting that they are HTTP.

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** True if the server ends the connection after this answer, or never ends the answer. */
  readonly isLast: boolean;
  /** The number of bytes that the answer took. */
  readonly length: number;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';
const NO_BODY: readonly number[] = [204, 304];

/** Returns the first answer in the bytes; undefined while it is not whole, and `garbled` if it is not HTTP. */
export function firstAnswer(bytes: Buffer, isHead: boolean): Answer | 'garbled' | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0)
    return bytes.length > 0 && !'HTTP/1.1 '.startsWith(bytes.toString('latin1', 0, 9)) ? 'garbled' : undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})( |\r|$)/.exec(head)?.[1]);
  if (Number.isNaN(status)) return 'garbled';
  const start = end + HEAD_END.length;
  if (status < 200) {
    // The answer proper comes after an interim one.
    const rest = firstAnswer(bytes.subarray(start), isHead);
    return typeof rest === 'object' ? { ...rest, length: rest.length + start } : rest;
  }
  const isLast = /\r\nconnection: close/i.test(head);
  const answer = (bodyEnd: number, last = isLast): Answer => ({
    status,
    head,
    body: bytes.toString('utf8', start, bodyEnd),
    isLast: last,
    length: bodyEnd,
  });
  if (isHead || NO_BODY.includes(status)) return answer(start);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= start + Number(length) ? answer(start + Number(length)) : undefined;
  if (/\r\ncontent-type: *text\/event-stream/i.test(head)) return answer(start, true);
  const last = bytes.indexOf(LAST_CHUNK, start);
  return last < 0 ? undefined : answer(last + LAST_CHUNK.length, true);
}
