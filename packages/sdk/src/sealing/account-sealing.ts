// Everything that sealing keeps for the logged-in account: its own keys, the keys of other users, and the opener of
// messages.
import type { Clock } from '@sealpost/contract/ports';
import type { BaseClient } from '../base-client.ts';
import { createChatMembers } from './chat-members.ts';
import { createGroupKeys } from './group-keys.ts';
import { createOpener } from './open.ts';
import { createOwnKeys } from './own-keys.ts';
import { createPeerKeys } from './peer-keys.ts';
import type { Keys } from './seal-plan.ts';
import { createSealedHistory } from './sealed-history.ts';
import { createSharedSecrets } from './shared-secrets.ts';

export interface AccountSealing {
  readonly keys: Keys;
  readonly opener: ReturnType<typeof createOpener>;
  /** Drops cached answers of the server. Called when operations were missed. */
  forget(): void;
}

/**
 * Returns a function that returns the keys of the logged-in account. After a login to another account, the function
 * returns the keys of that account.
 * @param pageSizeOf returns how many messages of a history one call asks for
 */
export function keysBySession(client: BaseClient, clock: Clock, pageSizeOf: () => Promise<number>) {
  let current: AccountSealing | undefined;
  const keysOf = (): AccountSealing => {
    const mid = client.session?.mid ?? current?.keys.own.mid;
    if (mid === undefined) throw new Error('nobody is logged in: log in first');
    if (current?.keys.own.mid === mid) return current;
    current?.keys.secrets.wipe();
    current = createAccountSealing(client, mid, clock, pageSizeOf);
    return current;
  };
  client.trust.onEvent(({ kind }) => {
    if (kind === 'log-accepted') current?.forget();
  });
  return Object.assign(keysOf, { close: () => current?.keys.secrets.wipe() });
}

function createAccountSealing(
  client: BaseClient,
  mid: string,
  clock: Clock,
  pageSizeOf: () => Promise<number>,
): AccountSealing {
  const own = createOwnKeys(client, mid, clock);
  const peers = createPeerKeys(client, mid, clock);
  const members = createChatMembers(client, mid, clock);
  const groups = createGroupKeys(client, { own, peers, members }, clock);
  const history = createSealedHistory(client, clock, pageSizeOf);
  const keys: Keys = { own, peers, groups, members, history, secrets: createSharedSecrets() };
  return {
    keys,
    opener: createOpener(keys, client.trust),
    forget() {
      own.forget();
      peers.forgetAll();
      groups.forgetAll();
      history.forgetAll();
    },
  };
}
