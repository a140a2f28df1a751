// Object storage may redirect a reader to another host that has the bytes. The redirect address needs no token.
import type { ClientPorts } from '../gateway/ports.ts';

/** The only header of the request that the other host needs. */
const RANGE = 'Range';

/**
 * Follows one redirect without the headers of this request, because they contain the token. A browser hides the address
 * of a redirect from programs, so in a browser the redirect is followed with these headers.
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
