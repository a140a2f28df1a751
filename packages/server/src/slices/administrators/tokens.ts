// Scoped tokens for machines. Only their hashes are stored.
import { type AdminToken, TOKEN_PREFIX, type TokenScope, tokenScopes } from '@sealpost/contract/admin';
import type { Clock, Random } from '@sealpost/contract/ports';
import { tokenHash } from '../../platform/kernel/digest.ts';
import type { Ids } from '../../platform/kernel/ids.ts';
import { randomBase64url } from '../../platform/kernel/random-text.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import * as q from './queries.ts';
import { timeOf } from './time-of.ts';

const TOKEN_BYTES = 32;
const DAY_MS = 86_400_000;
/** Milliseconds during which the time of the last use is stored at most once. */
const USED_MS = 60_000;

export interface TokenDeps {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly random: Random;
}

export interface NewToken {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly days?: number;
}

export interface AdminTokens {
  create(tx: Tx, wanted: NewToken, createdBy: string): Promise<AdminToken & { token: string }>;
  list(): Promise<AdminToken[]>;
  /** Returns the name of the revoked token; undefined if no token has the id. */
  revoke(tx: Tx, id: string): Promise<string | undefined>;
  /** Returns the token that a caller sent, unless it is revoked or expired. */
  find(token: string): Promise<AdminToken | undefined>;
}

export function createAdminTokens({ store, ids, clock, random }: TokenDeps): AdminTokens {
  return {
    async create(tx, { name, scopes, days }, createdBy) {
      const [id, token, now] = [ids.next(), TOKEN_PREFIX + randomBase64url(random, TOKEN_BYTES), clock.now()];
      const expires = days === undefined ? null : now + days * DAY_MS;
      const sorted = tokenScopes.filter((scope) => scopes.includes(scope)).join(' ');
      await tx.run(q.insertToken, id, tokenHash(token), name, sorted, createdBy, now, expires);
      const row = { id, name, scopes: sorted, created_by: createdBy, created_time: now, expires_time: expires };
      return { ...tokenJson({ ...row, last_used_time: null }), token };
    },
    list: async () => (await store.read((reader) => reader.all(q.allTokens))).map(tokenJson),
    async revoke(tx, id) {
      if (!/^\d{1,16}$/.test(id)) return undefined;
      return (await tx.one(q.deleteToken, Number(id)))?.name;
    },
    async find(token) {
      const found = await store.read((reader) => reader.one(q.tokenByHash, tokenHash(token)));
      const now = clock.now();
      if (!found || (found.expires_time !== null && found.expires_time <= now)) return undefined;
      if (now - (found.last_used_time ?? 0) >= USED_MS)
        await store.transact((tx) => tx.run(q.touchToken, now, found.id));
      return tokenJson(found);
    },
  };
}

const tokenJson = (row: q.TokenRow): AdminToken => ({
  id: String(row.id),
  name: row.name,
  scopes: tokenScopes.filter((scope) => row.scopes.split(' ').includes(scope)),
  createdBy: row.created_by,
  createdTime: timeOf(row.created_time),
  ...(row.expires_time === null ? {} : { expiresTime: timeOf(row.expires_time) }),
  ...(row.last_used_time === null ? {} : { lastUsedTime: timeOf(row.last_used_time) }),
});
