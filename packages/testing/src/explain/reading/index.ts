// Reads the calls of a client from the formats in which people save them.
import { fieldOf, parsedJson } from '../../wire/loose-json.ts';
import type { LoggedCall } from '../call.ts';
import { callOfCurl } from './curl.ts';
import { callsOfHar } from './har.ts';
import { callOfHttp, REQUEST_LINE } from './http-text.ts';
import { UnreadableCalls } from './unreadable.ts';

/**
 * Returns the calls of an HTTP archive, a curl command or a raw HTTP request.
 * @throws UnreadableCalls if the bytes have none of these forms
 */
export function readCalls(bytes: Uint8Array): LoggedCall[] {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trimStart().startsWith('{')) {
    const value = parsedJson(text);
    if (!Array.isArray(fieldOf(value, 'log', 'entries'))) {
      throw new UnreadableCalls('this JSON is not an HTTP archive: it has no list log.entries');
    }
    return callsOfHar(value);
  }
  if (/^\s*(?:\$ )?curl\s/.test(text)) return [callOfCurl(text)];
  const start = buffer.toString('latin1').search(/\S/);
  const request = buffer.subarray(Math.max(start, 0));
  if (REQUEST_LINE.test(request.toString('latin1'))) return [callOfHttp(request)];
  const beginning = JSON.stringify(text.trim().slice(0, 40));
  throw new UnreadableCalls(
    `${beginning} begins neither an HTTP archive (HAR), nor a curl command, nor a request line such as "POST /path HTTP/1.1"`,
  );
}
