// Tells whether a request comes from a page of this server. Browsers name the page in headers that no page can change.
// Without this check, a page of another site could make the browser of an administrator act with the administrator's
// cookie.
import type { IncomingMessage } from 'node:http';

/** @param own the origin of `public-url`, if it is set; it counts even if a proxy changes the header Host */
export function isOfOwnPage({ headers }: IncomingMessage, own: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  return origin === own || new URL(origin).host === headers.host?.toLowerCase();
}
