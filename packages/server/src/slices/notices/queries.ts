import { sql } from '../../platform/store/sql.ts';

export interface NoticeRow {
  readonly id: number;
  readonly language: string;
  readonly country: string;
  readonly title: string;
  readonly body: string;
  readonly show_timing_when_login: number;
  readonly created_time: number;
  readonly withdrawn_time: number | null;
}

const COLUMNS = 'id, language, country, title, body, show_timing_when_login, created_time, withdrawn_time';

export const noticesAfter = sql<NoticeRow>(
  `select ${COLUMNS} from notice where id > ? and withdrawn_time is null
     and (language = '' or language = ?) and (country = '' or country = ?) order by id limit ?`,
);
export const noticesBefore = sql<NoticeRow>(`select ${COLUMNS} from notice where id < ? order by id desc limit ?`);
export const insertNotice = sql(
  `insert into notice (id, language, country, title, body, show_timing_when_login, created_time)
   values (?, ?, ?, ?, ?, ?, ?)`,
);
export const withdrawNotice = sql<{ title: string }>(
  'update notice set withdrawn_time = ? where id = ? and withdrawn_time is null returning title',
);
