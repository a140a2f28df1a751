import { sql, sqlSet } from '../../platform/store/sql.ts';

export interface AuditEntry {
  readonly id: number;
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string;
}

export const insertEntry = sql(
  'insert into audit (id, time, actor, action, subject, detail) values (?, ?, ?, ?, ?, ?)',
);

const ENTRY = 'select id, time, actor, action, subject, detail from audit';

export const entriesBefore = sql<AuditEntry>(`${ENTRY} where id < ? order by id desc limit ?`);
// Each of these queries finds entries by its first filter, which has an index. An empty text matches any value.
export const entriesAbout = sql<AuditEntry>(
  `${ENTRY} where subject = ? and ? in ('', action) and ? in ('', actor) and id < ? order by id desc limit ?`,
);
export const entriesWithAction = sql<AuditEntry>(
  `${ENTRY} where action = ? and ? in ('', actor) and id < ? order by id desc limit ?`,
);
export const entriesBy = sql<AuditEntry>(`${ENTRY} where actor = ? and id < ? order by id desc limit ?`);

export interface NamedRow {
  readonly mid: string;
  readonly userid: string | null;
  readonly display_name: string;
}

/** Returns the names of the accounts with these mids. Deleted accounts have no names. */
export const namesOf = sqlSet<NamedRow>(
  { mid: 'text' },
  `select a.mid as mid, a.userid as userid, p.display_name as display_name
   from account a join profile p on p.account_id = a.id where a.deleted = 0 and a.mid in {given}`,
);

/** What an account uses, such as space and sessions. The last seen time is null if no session is known. */
export interface UseRow {
  readonly id: number;
  readonly sessions: number;
  readonly last_seen_time: number | null;
  readonly objects: number;
  readonly bytes: number;
}

/** Returns what accounts use. A session that ended recently counts only for the last seen time. */
export const usesOf = sqlSet<UseRow>(
  { id: 'bigint', now: 'bigint' },
  `select given.id as id,
     (select count(*) from login_session s join refresh_family f on f.session_id = s.id
      where s.account_id = given.id and s.revoked_time is null and f.expires_time > given.now) as sessions,
     (select max(s.last_seen_time) from login_session s where s.account_id = given.id) as last_seen_time,
     coalesce((select m.objects from media_usage m where m.account_id = given.id), 0) as objects,
     coalesce((select m.bytes from media_usage m where m.account_id = given.id), 0) as bytes
   from {given}`,
);
/** The accounts with the most bytes of media, found with an index. */
export const largestAccounts = sql<{ mid: string }>(
  `select a.mid as mid from media_usage m join account a on a.id = m.account_id
   where m.bytes > 0 order by m.bytes desc, m.account_id desc limit ?`,
);
