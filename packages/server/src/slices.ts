// Every slice, wired by hand: reads as a page of contents of the server.
import { createAudit } from './admin/index.ts';
import { type Accounts, createAccounts, createPasswords } from './accounts/index.ts';
import { createGroupChats } from './chats/index.ts';
import { contactsHandlers, friendsOf, withheld } from './contacts/index.ts';
import type { Ids } from './kernel/ids.ts';
import type { Ports } from './kernel/ports.ts';
import { type LoginConfirmation, loginHandlers, refreshRoute } from './login/index.ts';
import { messagingHandlers } from './messaging/index.ts';
import { profileHandlers } from './profile/index.ts';
import type { Handlers } from './rpc/call.ts';
import type { HttpHandlers } from './rpc/pipeline.ts';
import { createMutations } from './rpc/requests.ts';
import { createCertificates, createSessions, lctCookie, loadServerSecret, type Sessions } from './sessions/index.ts';
import type { Store } from './store/store.ts';
import type { OperationLog } from './stream/operation-log.ts';

export interface SliceDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly ids: Ids;
  readonly ports: Ports;
  readonly confirmation: LoginConfirmation;
  readonly secureCookies: boolean;
}

export interface Slices {
  readonly handlers: Handlers;
  readonly httpHandlers: HttpHandlers;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly audit: ReturnType<typeof createAudit>;
}

export async function createSlices({ store, log, ids, ports, confirmation, secureCookies }: SliceDeps): Promise<Slices> {
  const { clock, random } = ports;
  const secret = await loadServerSecret(store, random, clock);
  const sessions = createSessions({ store, ids, clock, secret });
  const passwords = createPasswords();
  const accounts = createAccounts({ store, operationLog: log, ids, clock, passwords, sessions });
  const certificates = createCertificates(random, clock);
  const mutations = createMutations(store, clock);
  const groups = createGroupChats();
  const audit = createAudit(store, ids, clock);

  return {
    accounts,
    sessions,
    audit,
    handlers: {
      ...loginHandlers({
        store,
        clock,
        random,
        secret,
        accounts,
        sessions,
        certificates,
        passwords,
        confirmation,
        secureCookies,
      }),
      ...messagingHandlers({ store, log, ids, clock, mutations, groups, withheld }),
      ...contactsHandlers({ store, clock, log, mutations }),
      ...profileHandlers({ store, clock, log, mutations, friendsOf }),
    },
    httpHandlers: {
      tokenRefresh: async (call) => {
        const answer = await refreshRoute(sessions, call.json());
        call.setCookie(lctCookie(answer.accessToken, sessions.accessTokenSec, { secure: secureCookies }));
        return JSON.stringify(answer);
      },
    },
  };
}
