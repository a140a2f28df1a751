// Invites: the operator creates and revokes them, and each allows a number of people to open an account.
import type { InviteState } from '@sealpost/contract';
import type { Clock, Random } from '@sealpost/contract/ports';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Reader, Store, Tx } from '../../platform/store/store.ts';
import { inviteDigest, newInviteCode } from './invite-codes.ts';
import {
  accountsOfInvite,
  type InviteRow,
  insertInvite,
  insertUse,
  inviteByDigest,
  inviteById,
  invitesBefore,
  revokeInvite,
  useInvite,
} from './queries.ts';

export interface NewInvite {
  /** Number of accounts that may be opened with the invite. */
  readonly uses: number;
  /** Milliseconds until the invite expires; undefined if it never expires. */
  readonly lifeMs: number | undefined;
  readonly from: string;
  readonly name: string;
  readonly note: string;
  readonly userid: string;
  readonly email: string;
  readonly phone: string;
}

export interface Invite extends InviteRow {
  readonly state: InviteState;
}

export interface ListedInvites {
  readonly invites: readonly Invite[];
  /** The id of the last invite on this page; undefined if there are no more invites. */
  readonly last: number | undefined;
}

export interface Invites {
  /** Creates an invite. Only the result contains the code; the server does not store it. */
  create(invite: NewInvite, also: (tx: Tx, id: number) => Promise<void>): Promise<{ invite: Invite; code: string }>;
  /** Returns invites with ids below `before`, newest first. If a state is given, returns only invites in this state. */
  list(before: number, limit: number, state: InviteState | undefined): Promise<ListedInvites>;
  show(id: number): Promise<Invite | undefined>;
  findByCode(reader: Reader, code: string): Promise<Invite | undefined>;
  /** Returns the mids of the accounts that were opened with an invite. */
  accountsOf(reader: Reader, id: number): Promise<string[]>;
  /** Revokes an invite. Does nothing if the invite was revoked before. */
  revoke(id: number, also: (tx: Tx) => Promise<void>): Promise<void>;
  /** Uses an invite for an account. Returns false if the invite is not usable. */
  use(tx: Tx, id: number, accountId: number): Promise<boolean>;
}

export function createInvites(deps: { store: Store; ids: Ids; clock: Clock; random: Random }): Invites {
  const { store, ids, clock, random } = deps;
  const seen = (row: InviteRow): Invite => ({ ...row, state: stateOf(row, clock.now()) });

  return {
    create: ({ lifeMs, ...given }, also) =>
      store.transact(async (tx) => {
        const code = newInviteCode(random);
        const id = ids.next();
        const { from, name, note, userid, email, phone, uses } = given;
        const now = clock.now();
        const texts = [from, name, note, userid, email, phone] as const;
        const expires = lifeMs === undefined ? null : now + lifeMs;
        await tx.run(insertInvite, id, inviteDigest(code), ...texts, uses, now, expires);
        await also(tx, id);
        const row = { id, sender: from, name, note, userid, email, phone, uses, used: 0, created_time: now };
        return { code, invite: seen({ ...row, expires_time: expires, revoked_time: null }) };
      }),
    async list(before, limit, state) {
      const invites: Invite[] = [];
      for (let last = before; ; ) {
        const rows = await store.read((reader) => reader.all(invitesBefore, last, limit));
        for (const row of rows) {
          last = row.id;
          const invite = seen(row);
          if (state === undefined || invite.state === state) invites.push(invite);
          if (invites.length === limit) return { invites, last };
        }
        if (rows.length < limit) return { invites, last: undefined };
      }
    },
    async show(id) {
      const row = await store.read((reader) => reader.one(inviteById, id));
      return row && seen(row);
    },
    async findByCode(reader, code) {
      const row = await reader.one(inviteByDigest, inviteDigest(code));
      return row && seen(row);
    },
    accountsOf: async (reader, id) => (await reader.all(accountsOfInvite, id)).map(({ mid }) => mid),
    revoke: (id, also) =>
      store.transact(async (tx) => {
        if (await tx.one(revokeInvite, clock.now(), id)) await also(tx);
      }),
    async use(tx, id, accountId) {
      if (!(await tx.one(useInvite, id, clock.now()))) return false;
      await tx.run(insertUse, accountId, id);
      return true;
    },
  };
}

function stateOf({ revoked_time, used, uses, expires_time }: InviteRow, now: number): InviteState {
  if (revoked_time !== null) return 'revoked';
  if (used >= uses) return 'used-up';
  return expires_time !== null && expires_time <= now ? 'expired' : 'usable';
}
