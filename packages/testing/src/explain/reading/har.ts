// Reads the calls of an HTTP archive (HAR 1.2), as browsers and proxies save it.
import { fieldOf, isStruct, listOf, numberOf, textOf } from '../../wire/loose-json.ts';
import type { LoggedCall } from '../call.ts';
import { UnreadableCalls } from './unreadable.ts';

/** Returns the calls of an archive, in its order. */
export function callsOfHar(har: unknown): LoggedCall[] {
  return listOf(fieldOf(har, 'log', 'entries')).map((entry, at) => {
    const request = fieldOf(entry, 'request');
    const url = textOf(fieldOf(request, 'url'));
    if (url === undefined) throw new UnreadableCalls(`entry ${at + 1} of the archive has no request.url`);
    const headers = headersOf(fieldOf(request, 'headers'));
    return {
      verb: textOf(fieldOf(request, 'method')) ?? 'GET',
      path: exactPath(headers, url),
      headers: headers.filter(([name]) => !name.startsWith(':')),
      body: bytesOf(fieldOf(request, 'postData')),
      ...answerOf(fieldOf(entry, 'response')),
    };
  });
}

/**
 * Returns an address without scheme, host and fragment. The address is not parsed, because the signature covers its
 * exact text.
 */
export function pathOfUrl(url: string): string {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Returns the path as it was sent. In HTTP/2, the pseudo header `:path` has it; the address in the archive may be
 * encoded differently.
 */
const exactPath = (headers: readonly (readonly [string, string])[], url: string): string =>
  headers.find(([name]) => name === ':path')?.[1] ?? pathOfUrl(url);

const headersOf = (value: unknown): (readonly [name: string, value: string])[] =>
  listOf(value).map((header) => [textOf(fieldOf(header, 'name')) ?? '', textOf(fieldOf(header, 'value')) ?? '']);

/** Returns the bytes of a body in an archive: text, or base64 if the field `encoding` says so. */
function bytesOf(content: unknown): Uint8Array {
  const text = textOf(fieldOf(content, 'text')) ?? '';
  return Buffer.from(text, fieldOf(content, 'encoding') === 'base64' ? 'base64' : 'utf8');
}

function answerOf(response: unknown): Pick<LoggedCall, 'answer'> {
  if (!isStruct(response)) return {};
  const status = numberOf(response.status) ?? 0;
  return { answer: { status, headers: headersOf(response.headers), body: bytesOf(response.content) } };
}
