import { sql } from '../../platform/store/sql.ts';
import type { Tx } from '../../platform/store/store.ts';

export interface ProfileRow {
  readonly mid: string;
  readonly kind: string;
  readonly userid: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly region_code: string;
  readonly created_time: number;
  readonly display_name: string;
  readonly status_message: string;
  readonly picture_path: string;
  readonly extra: string;
  readonly hide_userid: number;
  readonly hide_email: number;
}

export interface SettingsRow {
  readonly email: string | null;
  readonly phone: string | null;
  readonly refuse_strangers: number;
  readonly hide_phone: number;
  readonly hide_userid: number;
  readonly hide_email: number;
  readonly sealing_off: number;
  readonly refuse_friend_requests: number;
  readonly refuse_devices: number;
  readonly changed: string;
}

export const profileOf = sql<ProfileRow>(
  `select a.mid, a.kind, a.userid, a.email, a.phone, a.region_code, a.created_time,
          p.display_name, p.status_message, p.picture_path, p.extra,
          coalesce(s.hide_userid, 0) as hide_userid, coalesce(s.hide_email, 0) as hide_email
   from account a join profile p on p.account_id = a.id left join settings s on s.account_id = a.id where a.id = ?`,
);
export const updateProfile = sql(
  'update profile set display_name = ?, status_message = ?, picture_path = ?, extra = ? where account_id = ?',
);
export const emailHolder = sql<{ id: number }>('select id from account where email = ?');
export const updateEmail = sql('update account set email = ? where id = ?');

export const settingsOfAccount = sql<SettingsRow>(
  `select a.email, a.phone, coalesce(s.refuse_strangers, 0) as refuse_strangers, coalesce(s.hide_phone, 0) as hide_phone,
          coalesce(s.hide_userid, 0) as hide_userid, coalesce(s.hide_email, 0) as hide_email,
          coalesce(s.sealing_off, 0) as sealing_off,
          coalesce(s.refuse_friend_requests, 0) as refuse_friend_requests,
          coalesce(s.refuse_devices, 0) as refuse_devices, coalesce(s.changed, '{}') as changed
   from account a left join settings s on s.account_id = a.id where a.id = ?`,
);
const putSettings = sql(
  `insert into settings (account_id, refuse_strangers, hide_phone, hide_userid, hide_email, sealing_off,
     refuse_friend_requests, refuse_devices, changed)
   values (?, ?, ?, ?, ?, ?, ?, ?, ?)
   on conflict (account_id) do update set refuse_strangers = excluded.refuse_strangers, hide_phone = excluded.hide_phone,
     hide_userid = excluded.hide_userid, hide_email = excluded.hide_email,
     sealing_off = excluded.sealing_off, refuse_friend_requests = excluded.refuse_friend_requests,
     refuse_devices = excluded.refuse_devices, changed = excluded.changed`,
);
export const deviceRefusal = sql<{ refuse_devices: number }>(
  'select refuse_devices from settings where account_id = ?',
);
export const deleteSettings = sql('delete from settings where account_id = ?');

type StoredSettings = Omit<SettingsRow, 'email' | 'phone'>;

export const storeSettings = (tx: Tx, accountId: number, row: StoredSettings): Promise<void> =>
  tx.run(
    putSettings,
    accountId,
    row.refuse_strangers,
    row.hide_phone,
    row.hide_userid,
    row.hide_email,
    row.sealing_off,
    row.refuse_friend_requests,
    row.refuse_devices,
    row.changed,
  );
