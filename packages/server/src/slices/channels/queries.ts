import { sql } from '../../platform/store/sql.ts';

export interface HomeRow {
  readonly cover_object_id: string;
  readonly cover_time: number;
}

const COVER = 'select cover_object_id, cover_time from home where account_id = ?';

export const coverOf = sql<HomeRow>(COVER);
export const lockCover = sql<HomeRow>(`${COVER} {for update}`);
export const setCover = sql(
  `insert into home (account_id, cover_object_id, cover_time) values (?, ?, ?)
   on conflict (account_id) do update set cover_object_id = excluded.cover_object_id, cover_time = excluded.cover_time`,
);
export const deleteHome = sql('delete from home where account_id = ?');
