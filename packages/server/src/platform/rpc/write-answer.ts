import type { ServerResponse } from 'node:http';

const JSON_HEADERS = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'] as const;

/** Writes a complete response with a JSON body. */
export function writeAnswer(response: ServerResponse, status: number, body: string, extra: readonly string[]): void {
  response.end(body, writeHead(response, status, body, extra));
}

/** Writes the status and the headers. Returns the encoding in which the body must be written. */
export function writeHead(
  response: ServerResponse,
  status: number,
  body: string,
  extra: readonly string[],
): 'latin1' | 'utf8' {
  const length = Buffer.byteLength(body);
  const headers = [...JSON_HEADERS, 'Content-Length', String(length)];
  response.writeHead(status, extra.length === 0 ? headers : [...headers, ...extra]);
  // If each character has one byte, the text is ASCII; `latin1` writes it without conversion.
  return length === body.length ? 'latin1' : 'utf8';
}
