// Reads an HTTP request as it went over the wire. Its answer may follow.
import type { LoggedCall } from '../call.ts';
import { pathOfUrl } from './har.ts';
import { UnreadableCalls } from './unreadable.ts';

export const REQUEST_LINE = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?\r?\n/;
const STATUS_LINE = /^HTTP\/[\d.]+ (\d{3})[^\n]*\n/;

interface Head {
  readonly headers: [name: string, value: string][];
  readonly rest: Buffer;
}

/**
 * Returns the call in a text. Without Content-Length, the body ends at the answer or at the end of the text, without
 * the last line break.
 */
export function callOfHttp(bytes: Buffer): LoggedCall {
  const [line, verb = '', target = ''] = REQUEST_LINE.exec(bytes.toString('latin1')) ?? [];
  if (line === undefined)
    throw new UnreadableCalls('the first line is not a request line, such as "POST /path HTTP/1.1"');
  const { headers, rest } = headOf(bytes.subarray(line.length));
  const { body, behind } = bodyOf(headers, rest);
  const path = target.startsWith('/') ? target : pathOfUrl(target);
  return { verb, path, headers, body, ...answerIn(behind) };
}

function answerIn(bytes: Buffer): Pick<LoggedCall, 'answer'> {
  const start = bytes.toString('latin1').search(/\S/);
  const text = bytes.subarray(Math.max(start, 0));
  const [line, status] = STATUS_LINE.exec(text.toString('latin1')) ?? [];
  if (line === undefined) return {};
  const { headers, rest } = headOf(text.subarray(line.length));
  return { answer: { status: Number(status), headers, body: bodyOf(headers, rest).body } };
}

function headOf(bytes: Buffer): Head {
  const text = bytes.toString('latin1');
  const end = /\r?\n\r?\n|^\r?\n/.exec(text);
  const head = end ? text.slice(0, end.index) : text;
  const headers = head.split(/\r?\n/).flatMap((line): [string, string][] => {
    const at = line.indexOf(':');
    return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });
  return { headers, rest: end ? bytes.subarray(end.index + end[0].length) : Buffer.alloc(0) };
}

function bodyOf(headers: Head['headers'], rest: Buffer): { readonly body: Buffer; readonly behind: Buffer } {
  const length = headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  if (length !== undefined) {
    const count = Number(length);
    return { body: rest.subarray(0, count), behind: rest.subarray(count) };
  }
  // The request ends where an answer begins. Without an answer, a line break at the end is dropped, because the editor
  // added it.
  const text = rest.toString('latin1');
  const answer = /(?:^|\r?\n)\r?\n?(?=HTTP\/[\d.]+ \d{3})/.exec(text);
  const end = answer ? answer.index : text.replace(/\r?\n$/, '').length;
  return { body: rest.subarray(0, end), behind: answer ? rest.subarray(answer.index) : Buffer.alloc(0) };
}
