// Sessions of administrators. A session belongs to a cookie, of which only the hash is stored. It ends after a time
// without requests, and at the latest after a fixed time.
import type { Clock, Random } from '@sealpost/contract/ports';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Ids } from '../../platform/kernel/ids.ts';
import { randomBase64url } from '../../platform/kernel/random-text.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import type { CallerSession } from '../admin/index.ts';
import * as q from './queries.ts';

const TOKEN_BYTES = 32;
/** Maximum milliseconds for the second step of a login. */
const SECOND_STEP_MS = 300_000;
/** Maximum milliseconds between the use of a setup link and the setup of a second factor. */
export const SETUP_MS = 900_000;
/** Milliseconds during which the time of the last request is stored at most once. */
const SEEN_MS = 60_000;
const COOKIE = 'sealpost_admin';
const COOKIE_FORM = new RegExp(`(?:^|; ?)${COOKIE}=([\\w-]{43})(?:;|$)`);
const USER_AGENT_LENGTH = 200;

/** The request of a caller, as far as sessions need it. */
export interface AdminRequest {
  readonly address: string;
  readonly userAgent: string;
  readonly setCookie: (cookie: string) => void;
}

export interface SessionDeps {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
  readonly secureCookies: boolean;
  readonly idleMs: number;
  readonly longestMs: number;
}

type Owner = Pick<q.AdministratorRow, 'id' | 'name'>;

export interface AdminSessions {
  /** Opens a session and gives its cookie to the caller. */
  open(tx: Tx, administrator: Owner, state: q.SessionState, request: AdminRequest): Promise<CallerSession>;
  /**
   * Completes the login of a session. The caller gets another cookie, so a cookie that an attacker put into the browser
   * before the login is useless. Returns undefined if the session is not in its state any more.
   */
  promote(tx: Tx, session: CallerSession, request: AdminRequest): Promise<CallerSession | undefined>;
  /** Returns the live session of a cookie. */
  find(cookieHeader: string | undefined): Promise<CallerSession | undefined>;
  /** Returns true if there is a cookie in the form of those that sessions have. */
  hasCookie(cookieHeader: string | undefined): boolean;
  list(reader: Reader): Promise<q.SessionRow[]>;
  /** Tells the browser of the caller to delete the cookie. */
  clear(request: AdminRequest): void;
}

export function createAdminSessions(deps: SessionDeps): AdminSessions {
  const { store, ids, clock, random, secureCookies, idleMs, longestMs } = deps;
  const lifeOf = { 'second-factor': SECOND_STEP_MS, enrol: SETUP_MS, full: longestMs } as const;
  const give = ({ setCookie }: AdminRequest, token: string, ms: number): void =>
    setCookie(
      `${COOKIE}=${token}; Path=/api/admin; Max-Age=${Math.floor(ms / 1000)}; HttpOnly; SameSite=Strict${secureCookies ? '; Secure' : ''}`,
    );
  const isLive = ({ state, last_seen_time: seen, expires_time: expires }: q.SessionRow, now: number): boolean =>
    now < expires && (state !== 'full' || now - seen < idleMs);

  return {
    async open(tx, owner, state, request) {
      const [id, token, now] = [ids.next(), randomBase64url(random, TOKEN_BYTES), clock.now()];
      await tx.run(q.deleteExpiredSessions, now);
      const agent = request.userAgent.slice(0, USER_AGENT_LENGTH);
      const hash = tokenHash(token);
      const expiresTime = now + lifeOf[state];
      const origin = [request.address, agent] as const;
      await tx.run(q.insertSession, id, hash, owner.id, state, ...origin, now, now, expiresTime);
      tx.onCommit(() => give(request, token, lifeOf[state]));
      return { id, administratorId: owner.id, administrator: owner.name, state, expiresTime };
    },
    async promote(tx, session, request) {
      const [token, now] = [randomBase64url(random, TOKEN_BYTES), clock.now()];
      const expires = now + longestMs;
      const hash = tokenHash(token);
      if (!(await tx.one(q.promoteSession, hash, now, now, expires, session.id, session.state, now))) return undefined;
      tx.onCommit(() => give(request, token, longestMs));
      return { ...session, state: 'full', expiresTime: expires };
    },
    hasCookie: (cookieHeader = '') => COOKIE_FORM.test(cookieHeader),
    async find(cookieHeader = '') {
      const token = COOKIE_FORM.exec(cookieHeader)?.[1];
      if (token === undefined) return undefined;
      const found = await store.read((reader) => reader.one(q.sessionByHash, tokenHash(token)));
      const now = clock.now();
      if (!found || !isLive(found, now)) return undefined;
      if (now - found.last_seen_time >= SEEN_MS) await store.transact((tx) => tx.run(q.touchSession, now, found.id));
      return {
        id: found.id,
        administratorId: found.administrator_id,
        administrator: found.administrator_name,
        state: found.state,
        expiresTime: found.expires_time,
      };
    },
    list: (reader) => reader.all(q.fullSessions, clock.now(), clock.now() - idleMs),
    clear: (request) => give(request, '', 0),
  };
}
