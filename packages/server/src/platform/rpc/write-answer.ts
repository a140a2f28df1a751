import type { ServerResponse } from 'node:http';

const JSON_HEADERS = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'] as const;

/** Writes a whole answer whose body is JSON. */
export function writeAnswer(response: ServerResponse, status: number, body: string, extra: readonly string[]): void {
  response.end(body, writeHead(response, status, body, extra));
}

/** Returns the encoding in which the body is to be written. */
export function writeHead(
  response: ServerResponse,
  status: number,
  body: string,
  extra: readonly string[],
): 'latin1' | 'utf8' {
  const length = Buffer.byteLength(body);
  const headers = [...JSON_HEADERS, 'Content-Length', String(length)];
  response.writeHead(status, extra.length === 0 ? headers : [...headers, ...extra]);
  // Text of one byte per character needs no encoding.
  return length === body.length ? 'latin1' : 'utf8';
}
