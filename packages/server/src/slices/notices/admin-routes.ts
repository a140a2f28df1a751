// Admin endpoints of notices: list, publish and withdraw.
import type { AdminResult, AuditAction } from '@sealpost/contract/admin';
import { nextOf, pageOf } from '../../platform/json-api/input.ts';
import { Problem } from '../../platform/json-api/problem.ts';
import type { Tx } from '../../platform/store/store.ts';
import type { AdminHandlers, Audit } from '../admin/index.ts';
import type { Notices } from './notices.ts';
import type { NoticeRow } from './queries.ts';

export function noticeAdminHandlers(
  notices: Notices,
  audit: Audit,
): AdminHandlers<'listNotices' | 'publishNotice' | 'withdrawNotice'> {
  const note = (tx: Tx, actor: string, action: AuditAction, subject: string, title: string): Promise<void> =>
    audit.record(tx, { actor, action, subject, detail: JSON.stringify({ title }) });
  return {
    async listNotices(args) {
      const { limit, cursor } = pageOf(args, Number.MAX_SAFE_INTEGER);
      const page = await notices.list(cursor, limit);
      return { notices: page.map(noticeJson), ...nextOf(page, limit) };
    },
    publishNotice: async (input, { actor }) =>
      noticeJson(await notices.publish(input, (tx, id) => note(tx, actor, 'notice.publish', String(id), input.title))),
    async withdrawNotice({ notice }, { actor }) {
      const id = /^\d{1,16}$/.test(notice) ? Number(notice) : 0;
      const withdrawn = await notices.withdraw(id, (tx, title) => note(tx, actor, 'notice.withdraw', notice, title));
      if (!withdrawn) throw new Problem(404, `no published notice has the id ${JSON.stringify(notice)}`);
    },
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const noticeJson = (row: NoticeRow): AdminResult<'publishNotice'> => ({
  id: String(row.id),
  title: row.title,
  body: row.body,
  language: row.language,
  country: row.country,
  showTimingWhenLogin: row.show_timing_when_login === 1,
  createdTime: timeOf(row.created_time),
  ...(row.withdrawn_time === null ? {} : { withdrawnTime: timeOf(row.withdrawn_time) }),
});
