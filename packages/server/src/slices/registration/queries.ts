import { sql } from '../../platform/store/sql.ts';

export interface InviteRow {
  readonly id: number;
  readonly sender: string;
  readonly name: string;
  readonly note: string;
  readonly userid: string;
  readonly email: string;
  readonly phone: string;
  readonly uses: number;
  readonly used: number;
  readonly created_time: number;
  readonly expires_time: number | null;
  readonly revoked_time: number | null;
}

const COLUMNS = 'id, sender, name, note, userid, email, phone, uses, used, created_time, expires_time, revoked_time';

export const insertInvite = sql(
  `insert into invite (id, code_digest, sender, name, note, userid, email, phone, uses, created_time, expires_time)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
);
export const inviteByDigest = sql<InviteRow>(`select ${COLUMNS} from invite where code_digest = ?`);
export const inviteById = sql<InviteRow>(`select ${COLUMNS} from invite where id = ?`);
export const invitesBefore = sql<InviteRow>(`select ${COLUMNS} from invite where id < ? order by id desc limit ?`);
export const revokeInvite = sql<{ id: number }>(
  'update invite set revoked_time = ? where id = ? and revoked_time is null returning id',
);
/**
 * Counts one use of an invite, if the invite is usable at this moment. Two registrations cannot both take the last use.
 */
export const useInvite = sql<{ id: number }>(
  `update invite set used = used + 1 where id = ? and used < uses and revoked_time is null
   and (expires_time is null or expires_time > ?) returning id`,
);
export const insertUse = sql('insert into invite_use (account_id, invite_id) values (?, ?)');
export const accountsOfInvite = sql<{ mid: string }>(
  `select a.mid as mid from invite_use u join account a on a.id = u.account_id where u.invite_id = ? order by a.id limit 1000`,
);

/** Removes personal data from invites that were only for one person. */
export const clearInvitesOf = sql(
  `update invite set name = '', note = '', userid = '', email = '', phone = ''
   where uses = 1 and id in (select invite_id from invite_use where account_id = ?)`,
);
export const forgetUses = sql('delete from invite_use where account_id = ?');

export const findUsedChallenge = sql<{ id: string }>('select id from used_challenge where id = ?');
export const useChallenge = sql<{ id: string }>(
  'insert into used_challenge (id, expires_time) values (?, ?) on conflict (id) do nothing returning id',
);
export const deleteExpiredChallenges = sql('delete from used_challenge where expires_time <= ?');
