// The operator's side of reports, part of the admin API.
import Type from 'typebox';
import type { Store, Tx } from '../../platform/store/store.ts';
import type { Accounts } from '../accounts/index.ts';
import { type AdminRoutes, type Audit, bodyReader, nextOf, operator, Problem, pageOf } from '../admin/index.ts';
import type { ReportRow } from './queries.ts';
import type { ReportStatus, Reports } from './reports.ts';

export const ResolveReportBody = Type.Object(
  {
    action: Type.Union([Type.Literal('dismiss'), Type.Literal('disable-account')]),
    note: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false, title: 'ResolveReport' },
);
const readResolve = bodyReader(ResolveReportBody);

export interface ReportAdminDeps {
  readonly reports: Reports;
  readonly accounts: Pick<Accounts, 'disable'>;
  readonly audit: Audit;
  readonly store: Store;
}

export function reportAdminRoutes({ reports, accounts, audit, store }: ReportAdminDeps): AdminRoutes {
  async function reportOf(params: unknown): Promise<ReportRow> {
    const { report } = params as { report: string };
    const found = /^\d{1,16}$/.test(report) ? await reports.find(Number(report)) : undefined;
    if (!found) throw new Problem(404, `no report has the id ${JSON.stringify(report)}`);
    return found;
  }

  async function resolve(tx: Tx, report: ReportRow, action: string, note: string): Promise<void> {
    if (!(await reports.resolve(tx, report.id, action, operator))) {
      throw new Problem(409, 'the report is resolved already');
    }
    const detail = JSON.stringify({ report: String(report.id), action, note });
    await audit.record(tx, { actor: operator, action: 'report.resolve', subject: report.reported_mid, detail });
  }

  return {
    '/reports': {
      GET: async (request) => {
        const { limit, cursor } = pageOf(request.query, Number.MAX_SAFE_INTEGER);
        const page = await reports.list(statusOf(request.query), cursor, limit);
        return { reports: page.map(reportJson), ...nextOf(page, limit) };
      },
    },
    '/reports/:report': { GET: async (request) => reportJson(await reportOf(request.params)) },
    '/reports/:report/resolve': {
      POST: async (request) => {
        const { action, note = '' } = readResolve(request.body);
        const report = await reportOf(request.params);
        if (action === 'disable-account') {
          const disabled = await accounts.disable(report.reported_id, (tx) => resolve(tx, report, action, note));
          if (!disabled) throw new Problem(409, 'the reported account was deleted');
        } else {
          await store.transact((tx) => resolve(tx, report, action, note));
        }
        return reportJson(await reportOf(request.params));
      },
    },
  };
}

function statusOf(query: unknown): ReportStatus | undefined {
  const { status } = query as { status?: unknown };
  if (status === undefined || status === 'open' || status === 'resolved') return status;
  throw new Problem(400, 'status: must be open or resolved', {
    errors: [{ field: 'status', message: 'must be open or resolved' }],
  });
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const reportJson = (row: ReportRow) => ({
  id: String(row.id),
  status: row.status,
  reporterMid: row.reporter_mid,
  reportedMid: row.reported_mid,
  reportedDisabled: row.reported_disabled === 1,
  createdTime: timeOf(row.created_time),
  report: JSON.parse(row.report) as unknown,
  ...(row.resolved_time === null
    ? {}
    : { resolution: row.resolution, resolvedBy: row.resolved_by, resolvedTime: timeOf(row.resolved_time) }),
});
