// Admin endpoints of abuse reports: list, show and resolve.
import type { AdminResult } from '@sealpost/contract/admin';
import { nextOf, pageOf } from '../../platform/json-api/input.ts';
import { Problem } from '../../platform/json-api/problem.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import type { AdminHandlers, Audit } from '../admin/index.ts';
import type { ReportRow } from './queries.ts';
import type { Reports } from './reports.ts';

export interface ReportAdminDeps {
  readonly reports: Reports;
  readonly accounts: Pick<Accounts, 'disable'>;
  readonly audit: Audit;
  readonly store: Store;
}

/** The operator's decision about a report. */
interface Outcome {
  readonly action: string;
  readonly note: string;
  /** Who takes care of the report, as the operator knows; undefined if the operator does not care. */
  readonly ifAssignedTo: string | undefined;
}

type ReportEndpoint = 'listReports' | 'showReport' | 'assignReport' | 'resolveReport';

export function reportAdminHandlers(deps: ReportAdminDeps): AdminHandlers<ReportEndpoint> {
  const { reports, accounts, audit, store } = deps;

  async function reportOf(report: string): Promise<ReportRow> {
    const found = /^\d{1,16}$/.test(report) ? await reports.find(Number(report)) : undefined;
    if (!found) throw new Problem(404, `no report has the id ${JSON.stringify(report)}`);
    return found;
  }

  /** Refuses to change a report that is not as the operator knows it. */
  async function requireOpen(tx: Tx, id: number, ifAssignedTo: string | undefined): Promise<void> {
    const assignee = await reports.lockOpen(tx, id);
    if (assignee === undefined) throw new Problem(409, 'the report is resolved already', { code: 'report-resolved' });
    if (ifAssignedTo === undefined || ifAssignedTo === assignee) return;
    const who = assignee === '' ? 'nobody' : JSON.stringify(assignee);
    throw new Problem(409, `${who} takes care of the report now; look at it again`, { code: 'report-changed' });
  }

  async function resolve(tx: Tx, report: ReportRow, actor: string, outcome: Outcome): Promise<void> {
    const { action, note, ifAssignedTo } = outcome;
    await requireOpen(tx, report.id, ifAssignedTo);
    await reports.resolve(tx, report.id, action, actor);
    const detail = JSON.stringify({ report: String(report.id), action, note });
    await audit.record(tx, { actor, action: 'report.resolve', subject: report.reported_mid, detail });
  }

  return {
    async listReports(args) {
      const { limit, cursor } = pageOf(args, Number.MAX_SAFE_INTEGER);
      const page = await reports.list(args.status, cursor, limit);
      return { reports: page.map(reportJson), ...nextOf(page, limit) };
    },
    showReport: async ({ report }) => reportJson(await reportOf(report)),
    async assignReport({ report: id, to = '', ifAssignedTo }, { actor }) {
      const report = await reportOf(id);
      await store.transact(async (tx) => {
        await requireOpen(tx, report.id, ifAssignedTo);
        await reports.assign(tx, report.id, to);
        const detail = JSON.stringify({ report: id, to });
        await audit.record(tx, { actor, action: 'report.assign', subject: report.reported_mid, detail });
      });
      return reportJson(await reportOf(id));
    },
    async resolveReport({ report: id, action, note = '', ifAssignedTo }, { actor }) {
      const report = await reportOf(id);
      const outcome = { action, note, ifAssignedTo };
      if (action === 'disable-account') {
        const disabled = await accounts.disable(report.reported_id, (tx) => resolve(tx, report, actor, outcome));
        if (!disabled) throw new Problem(409, 'the reported account was deleted', { code: 'account-deleted' });
      } else {
        await store.transact((tx) => resolve(tx, report, actor, outcome));
      }
      return reportJson(await reportOf(id));
    },
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const reportJson = (row: ReportRow): AdminResult<'showReport'> => ({
  id: String(row.id),
  status: row.status,
  reporterMid: row.reporter_mid,
  reportedMid: row.reported_mid,
  reportedDisabled: row.reported_disabled === 1,
  createdTime: timeOf(row.created_time),
  report: JSON.parse(row.report) as unknown,
  ...(row.assigned_to !== '' && { assignedTo: row.assigned_to }),
  ...(row.resolved_time === null
    ? {}
    : { resolution: row.resolution, resolvedBy: row.resolved_by, resolvedTime: timeOf(row.resolved_time) }),
});
