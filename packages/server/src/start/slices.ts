// Creates all slices and connects them with each other. This module is a table of contents of the server.

import { createHmac } from 'node:crypto';
import type { FailureLimits, Limits, RegistrationMode } from '@sealpost/contract';
import type { StatusEndpoint } from '@sealpost/contract/admin';
import { createMutations } from '../platform/idempotency/mutations.ts';
import { forgetAllRequests } from '../platform/idempotency/queries.ts';
import type { Ids } from '../platform/kernel/ids.ts';
import type { Logger } from '../platform/kernel/logger.ts';
import type { ServerPorts } from '../platform/kernel/ports.ts';
import type { SecurityEvents } from '../platform/kernel/security-events.ts';
import type { Objects } from '../platform/objects/objects.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { Handlers } from '../platform/rpc/call.ts';
import { success } from '../platform/rpc/envelope.ts';
import type { HttpHandlers } from '../platform/rpc/http-requests.ts';
import type { ObjectHandlers } from '../platform/rpc/object-requests.ts';
import type { RateLimits } from '../platform/rpc/rate-limit.ts';
import type { Store } from '../platform/store/store.ts';
import type { OperationLog } from '../platform/stream/operation-log.ts';
import type { Subscribers } from '../platform/subscriber/subscribers.ts';
import { accountExportAdminHandlers } from '../slices/account-export/index.ts';
import { type Accounts, createAccounts, createPasswords, type Passwords } from '../slices/accounts/index.ts';
import { type AdminHandlers, createAudit, type OtherEndpoint, peopleAdminHandlers } from '../slices/admin/index.ts';
import { type Administrators, createAdministrators } from '../slices/administrators/index.ts';
import { type Channels, coverOf, createChannels, forgetHome, isCover } from '../slices/channels/index.ts';
import {
  type ContactsOf,
  chatHandlers,
  createGroupChats,
  favoriteChatMids,
  leaveAllChats,
  membersWhoSee,
  setChatPicture,
  sharedMembers,
} from '../slices/chats/index.ts';
import {
  blockersOf,
  contactsByMid,
  contactsHandlers,
  forgetAccount,
  guardsOf,
  lockFriends,
} from '../slices/contacts/index.ts';
import { deviceHandlers } from '../slices/devices/index.ts';
import { forgetBackup, keyBackupHandlers } from '../slices/key-backup/index.ts';
import { extendLog, keyLogHandlers } from '../slices/key-log/index.ts';
import {
  createAttemptLimit,
  createAttemptStore,
  createLogin,
  forgetLogins,
  type Login,
  type LoginConfirmation,
  loginAdminHandlers,
  refreshRoute,
} from '../slices/login/index.ts';
import { countMedia, createMedia, type Media, type MediaSettings, mediaAdminHandlers } from '../slices/media/index.ts';
import { createMediaMessages, forgetMessages, messagingHandlers } from '../slices/messaging/index.ts';
import { createNotices, noticeAdminHandlers } from '../slices/notices/index.ts';
import { ownAccountHandlers } from '../slices/own-account/index.ts';
import { forgetSettings, profileHandlers, refusesDevices, setPicture, settingsOf } from '../slices/profile/index.ts';
import { createPush, createPushKeys, forgetPush, type Push, privateKeyFrom } from '../slices/push/index.ts';
import {
  createChallenges,
  createInvites,
  createRegistration,
  createRegistrationLimits,
  forgetInvites,
  type RegistrationHandlers,
  registrationAdminHandlers,
} from '../slices/registration/index.ts';
import { createReports, forgetReports, reportAdminHandlers } from '../slices/reports/index.ts';
import { createRetention, orderedBefore, type Retention, retentionAdminHandlers } from '../slices/retention/index.ts';
import {
  accountKeyOf,
  canSeal,
  isSealed,
  sealingAdminHandlers,
  sealingChanged,
  sealingHandlers,
  sealingRules,
} from '../slices/sealing/index.ts';
import {
  createCertificates,
  createSessions,
  createTellDevices,
  lctCookie,
  loadServerSecret,
  type Sessions,
} from '../slices/sessions/index.ts';
import { createStickers, forgetProducts, judgeProducts, productAdminHandlers } from '../slices/stickers/index.ts';

const TAG_CHARS = 16;

export interface SliceDeps {
  readonly store: Store;
  /** The store for pictures of imported sticker packs. */
  readonly pictures: Objects;
  readonly log: OperationLog;
  readonly ids: Ids;
  readonly ports: ServerPorts;
  readonly metrics: Pick<Metrics, 'waiting'>;
  readonly rates: RateLimits;
  readonly events: SecurityEvents;
  readonly logger: Logger;
  readonly limits: Limits;
  readonly failureLimits: FailureLimits;
  readonly objects: Objects;
  readonly media: MediaSettings;
  /** Days that messages are kept; 0 keeps them for ever. */
  readonly messageDays: number;
  readonly subscribers: Subscribers;
  readonly outbound: Outbound;
  readonly push: { readonly key: Buffer | undefined; readonly contact: string };
  readonly confirmation: LoginConfirmation;
  /** Whether people may open accounts themselves, and how. */
  readonly registration: RegistrationMode;
  /** False in dev mode: there, an administrator without a second factor logs in with the password alone. */
  readonly needsSecondFactor: boolean;
  /** Words that no text on a sticker may contain. */
  readonly forbiddenWords: readonly string[];
  readonly secureCookies: boolean;
  readonly brand: string;
  /** Returns the address that clients use. The address is known as soon as the server listens. */
  readonly url: () => string;
}

export interface Slices {
  /** The handlers of all methods except fetchOps, which is part of the platform. */
  readonly handlers: Omit<Handlers, 'TalkService.fetchOps'>;
  /** The handlers of all other endpoints except the stream, which is part of the platform. */
  readonly httpHandlers: Omit<HttpHandlers, 'operationReceive'>;
  readonly objectHandlers: ObjectHandlers;
  readonly channelCallerOf: Channels['callerOf'];
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly login: Login;
  readonly media: Media;
  readonly retention: Retention;
  readonly push: Push;
  /** Returns the tag that stands for an account in the request log. The tag tells nothing about the account. */
  readonly tagOf: (accountId: number) => string;
  readonly audit: ReturnType<typeof createAudit>;
  readonly administrators: Administrators;
  readonly registration: {
    readonly handlers: RegistrationHandlers;
    /** Removes used challenges that have expired. */
    sweep(): Promise<void>;
  };
  /** Returns the number of open reports of abuse, at most `most`. */
  readonly openReports: (most: number) => Promise<number>;
  /** The handlers of the admin API, except those of account endpoints and those about the server itself. */
  readonly adminHandlers: AdminHandlers<Exclude<OtherEndpoint, StatusEndpoint>>;
}

export async function createSlices(deps: SliceDeps): Promise<Slices> {
  const core = await createCore(deps);
  const parts: Parts = { ...core, ...(await createOthers(deps, core)) };
  const { accounts, administrators, sessions, login, media, retention, push, audit, channels } = parts;
  const handlers = handlersOf(deps, parts);
  return {
    accounts,
    sessions,
    login,
    media,
    retention,
    push,
    audit,
    administrators,
    registration: parts.registration,
    openReports: parts.reports.countOpen,
    tagOf: accountTags(parts.secret.key('request log')),
    adminHandlers: adminHandlersOf(deps, parts, handlers),
    handlers,
    objectHandlers: media.handlers,
    channelCallerOf: channels.callerOf,
    httpHandlers: httpHandlersOf(deps, parts),
  };
}

type Core = Awaited<ReturnType<typeof createCore>>;
type Parts = Core & Awaited<ReturnType<typeof createOthers>>;

/** Creates the parts that most slices use: accounts, sessions, media and secrets. */
async function createCore(deps: SliceDeps) {
  const { store, log, ids, ports, limits, objects, url, logger } = deps;
  const { clock, random, timers, crashPoint } = ports;
  const secret = await loadServerSecret(store, random, clock);
  const keyLogSecret = await loadServerSecret(store, random, clock, 'key log');
  await store.transact(extendLog);
  const tellDevices = createTellDevices(log);
  const sessions = createSessions({
    ...{ store, ids, clock, secret, tellDevices },
    options: { accessTokenMs: limits.accessTokenMs.value, refreshDueMs: limits.renewalDueMs.value },
  });
  const passwords = queued(createPasswords(ports.slowCrypto), deps.metrics);
  const groups = createGroupChats();
  const mutations = createMutations(store, clock);
  const media = createMedia({
    ...{ store, objects, clock, random, timers, crashPoint, url, logger, mutations },
    ...createMediaMessages(groups, log),
    isCover,
    orderedBefore: (reader) => orderedBefore(reader, 'media'),
    settings: deps.media,
    setPicture: (tx, caller, path) => setPicture(tx, { log, lockFriends }, caller, path),
    setChatPicture: (tx, caller, picture) => setChatPicture(tx, { log, ids, clock }, caller, picture),
  });
  const accounts = createAccounts({
    store,
    operationLog: log,
    ids,
    clock,
    passwords,
    sessions,
    beforeRemoval: async (tx, { id, mid }) => {
      await leaveAllChats(tx, { log, ids, clock, picturesOf: media.pictures.pathsOf }, { accountId: id, mid });
      await forgetAccount(tx, log, { id, mid });
      await forgetMessages(tx, id);
      await forgetSettings(tx, id);
      await forgetProducts(tx, id);
      await forgetHome(tx, id);
      await media.forgetAccount(tx, id);
      await forgetBackup(tx, id);
      await forgetPush(tx, id);
      await forgetReports(tx, id);
      await forgetLogins(tx, id);
      await tx.run(forgetAllRequests, id);
      await forgetInvites(tx, id);
      await deps.subscribers.forgetAccount(tx, id);
    },
  });
  return { secret, keyLogSecret, tellDevices, sessions, passwords, groups, mutations, media, accounts };
}

/** Returns a function that gives each account a tag, which is the same on all servers of a database. */
const accountTags =
  (key: Buffer) =>
  (accountId: number): string =>
    createHmac('sha256', key).update(String(accountId)).digest('hex').slice(0, TAG_CHARS);

/** Counts the passwords that wait to be hashed or checked. */
const queued = ({ hash, verify }: Passwords, metrics: Pick<Metrics, 'waiting'>): Passwords => ({
  hash: (password) => metrics.waiting('passwords', () => hash(password)),
  verify: (...args) => metrics.waiting('passwords', () => verify(...args)),
});

/** Creates the other slices that keep data in memory while the server runs. */
async function createOthers(deps: SliceDeps, core: Core) {
  const { store, log, ids, ports, pictures, logger, failureLimits, confirmation, forbiddenWords } = deps;
  const { secureCookies, brand, url } = deps;
  const { clock, random, timers, slowCrypto } = ports;
  const { secret, tellDevices, sessions, passwords, media, accounts } = core;
  const certificates = createCertificates(random, clock);
  const audit = createAudit(store, ids, clock);
  const notices = createNotices(store, ids, clock);
  const reports = createReports({ store, ids, clock, accounts });
  const login = createLogin({
    store,
    clock,
    random,
    timers,
    slowCrypto,
    secret,
    accounts,
    sessions,
    certificates,
    passwords,
    tellDevices,
    confirmation,
    failureLimits,
    refusesDevices,
    secureCookies,
    brand,
    url,
    accountKeyOf,
    canSeal,
    onError: (error, what) => logger.error({ error }, what),
  });
  const channels = createChannels({ store, clock, sessions, accounts, covers: media.covers, brand });
  const stickers = await createStickers({
    store,
    log,
    clock,
    objects: pictures,
    key: secret.key('emoji ownership'),
    forbiddenWords,
  });
  const push = await startPush(deps, core);
  const administrators = createAdministrators({ ...deps, clock, random, secret, passwords, audit });
  const registration = startRegistration(deps, core);
  const retention = createRetention({ store, clock, messageDays: deps.messageDays, dropMedia: media.carriers.drop });
  return {
    retention,
    certificates,
    audit,
    administrators,
    notices,
    reports,
    login,
    channels,
    stickers,
    push,
    registration,
  };
}

function startRegistration(deps: SliceDeps, { secret, accounts }: Core) {
  const { store, ids, ports, failureLimits, limits, registration: mode } = deps;
  const { clock, random } = ports;
  const attempts = createAttemptStore({ store, clock, secret });
  const invites = createInvites({ store, ids, clock, random });
  const challenges = createChallenges({
    ...{ store, clock, random, key: secret.key('registration challenges') },
    cost: limits.challengeWork.value,
    lifeMs: limits.challengeMs.value,
  });
  const handlers = createRegistration({
    ...{ mode, store, accounts, invites, challenges },
    guesses: createAttemptLimit(attempts, 'invitePerAddress', failureLimits.invitePerAddress, 'Too many wrong codes'),
    limits: createRegistrationLimits(attempts, {
      perAddress: limits.registrationsPerAddress.value,
      perDay: limits.registrationsPerDay.value,
    }),
  });
  return { handlers, invites, sweep: challenges.sweep };
}

async function startPush(deps: SliceDeps, { secret, sessions, accounts }: Core): Promise<Push> {
  const { store, ports, logger, outbound, subscribers } = deps;
  const { clock, random } = ports;
  const privateKey = deps.push.key ?? privateKeyFrom(secret.key);
  const push = createPush({
    ...{ store, ports, logger, outbound, random, settingsOf },
    keys: createPushKeys(privateKey, deps.push.contact, clock),
    topicKey: secret.key('push topics'),
    isOpen: subscribers.isOpen,
    liveSessions: async (reader, accountId) => new Set((await sessions.list(reader, accountId)).map(({ id }) => id)),
    midOf: async (reader, accountId) => (await accounts.findById(reader, accountId))?.mid,
  });
  sessions.onRevoked((accountId, sessionId) => {
    push.endSession(accountId, sessionId).catch((error: unknown) => {
      logger.error({ error }, 'the push subscription of an ended session was not removed at once');
    });
  });
  await subscribers.add(push.subscriber);
  return push;
}

function adminHandlersOf(deps: SliceDeps, parts: Parts, reads: Slices['handlers']): Slices['adminHandlers'] {
  const { store, messageDays, ports, registration: mode, url } = deps;
  const { clock } = ports;
  const { accounts, administrators, audit, certificates, login, notices, reports, stickers } = parts;
  const { invites } = parts.registration;
  return {
    ...administrators.handlers,
    ...mediaAdminHandlers(store, clock),
    ...accountExportAdminHandlers({
      ...{ store, clock, accounts, audit, reads },
      stored: parts.media.stored,
      coverOf: async (id) => (await store.read((reader) => reader.one(coverOf, id)))?.cover_object_id,
    }),
    ...peopleAdminHandlers({ store, clock, accounts }),
    ...sealingAdminHandlers({ store, accounts }),
    ...retentionAdminHandlers({ store, clock, audit, messageDays, mediaDays: deps.media.mediaDays, countMedia }),
    ...noticeAdminHandlers(notices, audit),
    ...productAdminHandlers({ catalogue: stickers.catalogue, accounts, audit }),
    ...reportAdminHandlers({ reports, accounts, audit, store }),
    ...registrationAdminHandlers({ store, accounts, invites, audit, mode, url }),
    ...loginAdminHandlers({ store, accounts, approvals: login.approvals, certificates, audit }),
  };
}

function handlersOf(deps: SliceDeps, parts: Parts): Slices['handlers'] {
  const { store, log, ids, limits, rates } = deps;
  const { clock } = deps.ports;
  const { accounts, passwords, sessions, certificates, groups, login, media, mutations, tellDevices } = parts;
  const removePicture = media.pictures.remove;
  const contactsOf: ContactsOf = async (reader, ownerId, accountIds) => {
    const found = await Promise.all(accountIds.map((id) => accounts.findById(reader, id)));
    const mids = found.flatMap((account) => account?.mid ?? []);
    return [...(await contactsByMid(reader, ownerId, mids)).values()];
  };
  return {
    ...login.handlers,
    ...deviceHandlers({ store, approvals: login.approvals, sessions, certificates }),
    ...ownAccountHandlers({
      ...{ store, log, mutations, accounts, passwords, sessions, certificates, tellDevices },
      provePassword: login.provePassword,
    }),
    ...messagingHandlers({
      store,
      log,
      ids,
      clock,
      mutations,
      limits,
      groups,
      guardsOf,
      judgeProducts,
      sealed: isSealed,
      sealingRules,
      carriers: media.carriers,
    }),
    ...sealingHandlers({ store, clock, log, mutations, membersWhoSee }),
    ...keyLogHandlers({ store, clock, signingKey: parts.keyLogSecret.key('tree heads') }),
    ...keyBackupHandlers({ store, clock, log, sessions, tellDevices }),
    ...chatHandlers({ store, log, ids, clock, mutations, contactsOf, limits, removePicture, blockersOf }),
    ...contactsHandlers({
      store,
      clock,
      log,
      mutations,
      sharedChatMembers: sharedMembers,
      favoriteChatMids,
    }),
    ...profileHandlers({ store, clock, log, mutations, lockFriends, rates, sealingChanged, limits, removePicture }),
    ...parts.push.handlers,
    ...parts.reports.handlers,
    ...parts.stickers.handlers,
    ...parts.channels.handlers,
  };
}

function httpHandlersOf({ secureCookies }: SliceDeps, parts: Parts): Slices['httpHandlers'] {
  const { sessions, login, stickers, channels, media, notices } = parts;
  return {
    ...login.httpHandlers,
    ...stickers.httpHandlers,
    ...channels.httpHandlers,
    ...media.httpHandlers,
    tokenRefresh: async (call) => {
      const answer = await refreshRoute(sessions, call.json());
      call.setCookie(lctCookie(answer.accessToken, sessions.accessTokenSec, { secure: secureCookies }));
      return JSON.stringify(answer);
    },
    notices: async (call) => success(JSON.stringify(await notices.page(Object.fromEntries(call.query)))),
  };
}
