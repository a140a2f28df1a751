// Object storage may send a reader to where the bytes lie, on another host, under an address that is enough by itself.
import type { ClientPorts } from '../gateway/ports.ts';

/** The only header that the other host needs. */
const RANGE = 'Range';

/**
 * Follows one such answer without the headers of this request, which have the token. A browser does not tell where an
 * answer points to: there it is followed with them.
 */
export async function getWithoutTokenElsewhere(ports: ClientPorts, url: string, init: RequestInit): Promise<Response> {
  const answer = await ports.fetch(url, { ...init, redirect: 'manual' });
  if (answer.type === 'opaqueredirect') return ports.fetch(url, init);
  const location = answer.status === 302 ? answer.headers.get('Location') : null;
  if (location === null) return answer;
  const range = new Headers(init.headers).get(RANGE);
  const headers = range === null ? {} : { [RANGE]: range };
  return ports.fetch(new URL(location, url), { ...init, headers, redirect: 'error' });
}
