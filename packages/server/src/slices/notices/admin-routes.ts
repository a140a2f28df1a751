// The operator's side of notices, part of the admin API.
import Type from 'typebox';
import { type AdminRoutes, type Audit, bodyReader, nextOf, operator, Problem, pageOf } from '../admin/index.ts';
import type { Notices } from './notices.ts';
import type { NoticeRow } from './queries.ts';

export const NewNoticeBody = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200 }),
    body: Type.String({ maxLength: 20_000 }),
    language: Type.Optional(Type.String({ pattern: '^([A-Za-z]{2})?$' })),
    country: Type.Optional(Type.String({ pattern: '^([A-Za-z]{2})?$' })),
    showTimingWhenLogin: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, title: 'NewNotice' },
);
const readNotice = bodyReader(NewNoticeBody);

export function noticeAdminRoutes(notices: Notices, audit: Audit): AdminRoutes {
  return {
    '/notices': {
      GET: async (request) => {
        const { limit, cursor } = pageOf(request.query, Number.MAX_SAFE_INTEGER);
        const page = await notices.list(cursor, limit);
        return { notices: page.map(noticeJson), ...nextOf(page, limit) };
      },
      POST: async (request, reply) => {
        const row = await notices.publish(readNotice(request.body), (tx, id) =>
          audit.record(tx, { actor: operator, action: 'notice.publish', subject: String(id), detail: '{}' }),
        );
        reply.code(201);
        return noticeJson(row);
      },
    },
    '/notices/:notice': {
      DELETE: async (request, reply) => {
        const { notice } = request.params as { notice: string };
        const id = /^\d{1,16}$/.test(notice) ? Number(notice) : 0;
        const withdrawn = await notices.withdraw(id, (tx) =>
          audit.record(tx, { actor: operator, action: 'notice.withdraw', subject: notice, detail: '{}' }),
        );
        if (!withdrawn) throw new Problem(404, `no published notice has the id ${JSON.stringify(notice)}`);
        reply.code(204);
      },
    },
  };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const noticeJson = (row: NoticeRow) => ({
  id: String(row.id),
  title: row.title,
  body: row.body,
  language: row.language,
  country: row.country,
  showTimingWhenLogin: row.show_timing_when_login === 1,
  createdTime: timeOf(row.created_time),
  ...(row.withdrawn_time === null ? {} : { withdrawnTime: timeOf(row.withdrawn_time) }),
});
