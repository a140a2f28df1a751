import { sql } from '../../platform/store/sql.ts';

export interface ReportRow {
  readonly id: number;
  readonly reporter_id: number;
  readonly reporter_mid: string;
  readonly reported_id: number;
  readonly reported_mid: string;
  readonly reported_disabled: number;
  readonly created_time: number;
  readonly report: string;
  readonly status: 'open' | 'resolved';
  /** Name of the person who takes care of the report; empty if nobody does. */
  readonly assigned_to: string;
  readonly resolution: string;
  readonly resolved_by: string;
  readonly resolved_time: number | null;
}

const REPORT = `select r.id as id, r.reporter_id as reporter_id, a.mid as reporter_mid, r.reported_id as reported_id,
  b.mid as reported_mid, b.disabled as reported_disabled, r.created_time as created_time, r.report as report,
  r.status as status, r.assigned_to as assigned_to, r.resolution as resolution, r.resolved_by as resolved_by, r.resolved_time as resolved_time
  from report r join account a on a.id = r.reporter_id join account b on b.id = r.reported_id`;

export const reportById = sql<ReportRow>(`${REPORT} where r.id = ?`);
export const reportsBefore = sql<ReportRow>(`${REPORT} where r.id < ? order by r.id desc limit ?`);
export const reportsOfStatusBefore = sql<ReportRow>(
  `${REPORT} where r.status = ? and r.id < ? order by r.id desc limit ?`,
);
export const insertReport = sql(
  `insert into report (id, reporter_id, reported_id, created_time, report, status) values (?, ?, ?, ?, ?, 'open')`,
);
/**
 * Removes the content of reports that an account made, and of reports about the account. Only their mids and times
 * stay.
 */
export const clearReports = sql(
  `update report set report = '{}', resolution = '' where reporter_id = ? or reported_id = ?`,
);
/** Locks an open report, so that of two operators the second one sees what the first one did. */
export const lockOpenReport = sql<{ assigned_to: string }>(
  `select assigned_to from report where id = ? and status = 'open' {for update}`,
);
export const resolveReport = sql(
  `update report set status = 'resolved', resolution = ?, resolved_by = ?, resolved_time = ? where id = ?`,
);
export const assignReport = sql('update report set assigned_to = ? where id = ?');
/** Counts open reports up to a limit, with an index. */
export const countOpen = sql<{ reports: number }>(
  `select count(*) as reports from (select 1 from report where status = 'open' limit ?) as o`,
);
