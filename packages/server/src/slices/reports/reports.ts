// Abuse reports. They are stored as they were sent, so that the operator can decide about them.
import { type AbuseMessageReport, ApiError } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Handlers } from '../../platform/rpc/call.ts';
import { requireMid } from '../../platform/rpc/mids.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { type Accounts, holdLiving } from '../accounts/index.ts';
import {
  assignReport,
  clearReports,
  countOpen,
  insertReport,
  lockOpenReport,
  type ReportRow,
  reportById,
  reportsBefore,
  reportsOfStatusBefore,
  resolveReport,
} from './queries.ts';

export interface ReportsDeps {
  readonly store: Store;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'findByMid'>;
}

export interface Reports {
  readonly handlers: Handlers<'TalkService.reportAbuseEx'>;
  /** Returns reports, newest first, starting before the report with id `before`. */
  list(status: ReportRow['status'] | undefined, before: number, limit: number): Promise<ReportRow[]>;
  find(id: number): Promise<ReportRow | undefined>;
  /**
   * Locks a report, and returns who takes care of it, or an empty text for nobody. Returns undefined if the report is
   * no longer open.
   */
  lockOpen(tx: Tx, id: number): Promise<string | undefined>;
  /** Resolves a report that is locked. */
  resolve(tx: Tx, id: number, resolution: string, by: string): Promise<void>;
  /** Records who takes care of a report that is locked. An empty text means nobody. */
  assign(tx: Tx, id: number, to: string): Promise<void>;
  /** Returns the number of open reports, at most `most`. */
  countOpen(most: number): Promise<number>;
}

export function createReports({ store, ids, clock, accounts }: ReportsDeps): Reports {
  return {
    handlers: {
      'TalkService.reportAbuseEx': ({ caller }, { abuseReportEntry: { message: report } }) =>
        store.transact(async (tx) => {
          await holdLiving(tx, caller.accountId);
          const { field, mid } = reportedIn(report);
          requireMid(field, mid);
          const reported = await accounts.findByMid(tx, mid);
          if (!reported) throw new ApiError('NOT_FOUND', `${field}: there is no user ${mid}`);
          await tx.run(insertReport, ids.next(), caller.accountId, reported.id, clock.now(), JSON.stringify(report));
          return null;
        }),
    },
    list: (status, before, limit) =>
      store.read((reader) =>
        status === undefined
          ? reader.all(reportsBefore, before, limit)
          : reader.all(reportsOfStatusBefore, status, before, limit),
      ),
    find: (id) => store.read((reader) => reader.one(reportById, id)),
    lockOpen: async (tx, id) => (await tx.one(lockOpenReport, id))?.assigned_to,
    resolve: (tx, id, resolution, by) => tx.run(resolveReport, resolution, by, clock.now(), id),
    assign: (tx, id, to) => tx.run(assignReport, to, id),
    async countOpen(most) {
      return (await store.read((reader) => reader.one(countOpen, most)))?.reports ?? 0;
    },
  };
}

/** Removes the content of reports that a deleted account made, and of reports about it. */
export const forgetReports = (tx: Tx, accountId: number): Promise<void> => tx.run(clearReports, accountId, accountId);

/**
 * Returns the mid of the account that a report accuses. The mid comes from the metadata. If it is missing there, it
 * comes from the first message that names a sender.
 */
function reportedIn({ metadata, abuseMessages = [] }: AbuseMessageReport): { field: string; mid: string } {
  const message = 'request.abuseReportEntry.message';
  if (metadata?.userMid !== undefined) return { field: `${message}.metadata.userMid`, mid: metadata.userMid };
  for (const [i, { senderMid }] of abuseMessages.entries()) {
    if (senderMid !== undefined) return { field: `${message}.abuseMessages.${i}.senderMid`, mid: senderMid };
  }
  throw new ApiError('ILLEGAL_ARGUMENT', `${message}.metadata.userMid is missing`);
}
