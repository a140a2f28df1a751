// Every slice, wired by hand: reads as a page of contents of the server.

import { type Accounts, createAccounts, createPasswords } from './accounts/index.ts';
import { type AdminRoutes, createAudit } from './admin/index.ts';
import {
  type ContactsOf,
  chatHandlers,
  createGroupChats,
  favoriteChatMids,
  leaveAllChats,
  sharedMembers,
} from './chats/index.ts';
import { contactsByMid, contactsHandlers, forgetAccount, friendsOf, withheld } from './contacts/index.ts';
import type { Ids } from './kernel/ids.ts';
import type { Ports } from './kernel/ports.ts';
import { hasKeys, isSealed, keyHandlers } from './keys/index.ts';
import { createLogin, type Login, type LoginConfirmation, loginAdminRoutes, refreshRoute } from './login/index.ts';
import { messagingHandlers } from './messaging/index.ts';
import { createNotices, noticeAdminRoutes } from './notices/index.ts';
import { primaryDeviceHandlers } from './primary/index.ts';
import { forgetSettings, profileHandlers } from './profile/index.ts';
import { createReports, reportAdminRoutes } from './reports/index.ts';
import type { Handlers } from './rpc/call.ts';
import { success } from './rpc/envelope.ts';
import type { HttpHandlers } from './rpc/pipeline.ts';
import type { RateLimits } from './rpc/rate-limit.ts';
import { createMutations } from './rpc/requests.ts';
import {
  createCertificates,
  createSessions,
  createTellDevices,
  lctCookie,
  loadServerSecret,
  type Sessions,
} from './sessions/index.ts';
import { shopHandlers } from './shop/index.ts';
import type { Store } from './store/store.ts';
import type { OperationLog } from './stream/operation-log.ts';

export interface SliceDeps {
  readonly store: Store;
  readonly log: OperationLog;
  readonly ids: Ids;
  readonly ports: Ports;
  readonly rates: RateLimits;
  readonly confirmation: LoginConfirmation;
  readonly secureCookies: boolean;
  readonly brand: string;
  /** The address that clients use; known once the server listens. */
  readonly url: () => string;
}

export interface Slices {
  readonly handlers: Handlers;
  readonly httpHandlers: HttpHandlers;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly login: Login;
  readonly audit: ReturnType<typeof createAudit>;
  /** What slices add to the admin API. */
  readonly adminRoutes: readonly AdminRoutes[];
}

export async function createSlices({
  store,
  log,
  ids,
  ports,
  rates,
  confirmation,
  secureCookies,
  brand,
  url,
}: SliceDeps): Promise<Slices> {
  const { clock, random, timers } = ports;
  const secret = await loadServerSecret(store, random, clock);
  const tellDevices = createTellDevices(log);
  const sessions = createSessions({ store, ids, clock, secret, tellDevices });
  const passwords = createPasswords();
  const accounts = createAccounts({
    store,
    operationLog: log,
    ids,
    clock,
    passwords,
    sessions,
    beforeRemoval: async (tx, { id, mid }) => {
      await leaveAllChats(tx, { log, ids, clock }, { accountId: id, mid });
      await forgetAccount(tx, log, { id, mid });
      await forgetSettings(tx, id);
    },
  });
  const certificates = createCertificates(random, clock);
  const mutations = createMutations(store, clock);
  const groups = createGroupChats();
  const audit = createAudit(store, ids, clock);
  const notices = createNotices(store, ids, clock);
  const contactsOf: ContactsOf = async (reader, ownerId, accountIds) => {
    const found = await Promise.all(accountIds.map((id) => accounts.findById(reader, id)));
    const mids = found.flatMap((account) => account?.mid ?? []);
    return [...(await contactsByMid(reader, ownerId, mids)).values()];
  };
  const reports = createReports({ store, ids, clock, accounts });

  const login = createLogin({
    store,
    clock,
    random,
    timers,
    secret,
    accounts,
    sessions,
    certificates,
    passwords,
    tellDevices,
    confirmation,
    secureCookies,
    brand,
    url,
    hasKeys,
  });
  const { approvals } = login;

  return {
    accounts,
    sessions,
    login,
    audit,
    adminRoutes: [
      noticeAdminRoutes(notices, audit),
      reportAdminRoutes({ reports, accounts, audit, store }),
      loginAdminRoutes({ store, accounts, approvals, certificates, audit }),
    ],
    handlers: {
      ...login.handlers,
      ...primaryDeviceHandlers({ store, approvals, sessions, certificates }),
      ...messagingHandlers({ store, log, ids, clock, mutations, groups, withheld, sealed: isSealed }),
      ...keyHandlers({ store, clock, log, mutations, sharedMembers }),
      ...chatHandlers({ store, log, ids, clock, mutations, contactsOf }),
      ...contactsHandlers({
        store,
        clock,
        log,
        mutations,
        rates,
        sharedChatMembers: sharedMembers,
        favoriteChatMids,
      }),
      ...profileHandlers({ store, clock, log, mutations, friendsOf }),
      ...reports.handlers,
      ...shopHandlers(),
    },
    httpHandlers: {
      ...login.httpHandlers,
      tokenRefresh: async (call) => {
        const answer = await refreshRoute(sessions, call.json());
        call.setCookie(lctCookie(answer.accessToken, sessions.accessTokenSec, { secure: secureCookies }));
        return JSON.stringify(answer);
      },
      notices: async (call) => success(JSON.stringify(await notices.page(Object.fromEntries(call.query)))),
    },
  };
}
