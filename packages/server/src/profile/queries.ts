import { sql } from '../store/sql.ts';

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
          coalesce(s.changed, '{}') as changed
   from account a left join settings s on s.account_id = a.id where a.id = ?`,
);
export const storeSettings = sql(
  `insert into settings (account_id, refuse_strangers, hide_phone, hide_userid, hide_email, changed)
   values (?, ?, ?, ?, ?, ?)
   on conflict (account_id) do update set refuse_strangers = excluded.refuse_strangers, hide_phone = excluded.hide_phone,
     hide_userid = excluded.hide_userid, hide_email = excluded.hide_email, changed = excluded.changed`,
);
export const deleteSettings = sql('delete from settings where account_id = ?');
