// Makes calls of the protocol as one of the accounts. The page signs them as a client does.
import { brandHeader, clientVersion, pathOf, plainHeaders } from '@sealpost/contract';
import { signRequest } from '@sealpost/crypto';
import { dev, Refused } from './dev-api.ts';
import { useInspector } from './store.ts';

/** The access token of each account's session, by account. A session is opened when it is first needed. */
const sessions = new Map<string, Promise<string>>();

const tokenOf = (account: string): Promise<string> => {
  const known = sessions.get(account);
  if (known) return known;
  const opened = dev.openSession({ account }).then(({ accessToken }) => accessToken);
  sessions.set(account, opened);
  return opened;
};

/** The envelope of an answer. */
interface Told {
  readonly data?: { readonly reason?: unknown } | null;
  readonly message?: unknown;
}

/**
 * Calls a method. Returns its result, whose form the caller checks.
 * @throws Refused if the server refuses the call
 */
export async function callAs(
  account: string,
  method: Parameters<typeof pathOf>[0],
  args: readonly unknown[],
): Promise<unknown> {
  const { facts } = useInspector.getState();
  if (!facts) throw new Refused('the page does not know the server yet');
  const { brand, buildToken } = facts;
  const accessToken = await tokenOf(account);
  const path = pathOf(method);
  const body = JSON.stringify(args);
  const signature = await signRequest({ buildToken, version: clientVersion, accessToken, path, body });
  const answer = await fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [brandHeader(brand, 'access')]: accessToken,
      [brandHeader(brand, 'clientVersion')]: clientVersion,
      [plainHeaders.hmac.name]: signature,
      'X-Dev-Tag': 'sealing lab',
    },
    body,
  });
  const told: Told = await answer.json();
  if (answer.ok) return told.data;
  // After a reset of the server, the session no longer exists.
  sessions.delete(account);
  throw new Refused(`${method} answered ${answer.status}: ${String(told.data?.reason ?? told.message ?? '')}`);
}
