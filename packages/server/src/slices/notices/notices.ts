// Notices that the operator publishes for a language and a country, read in pages.
import { ApiError, type NoticeDocument, parseI64 } from '@sealpost/contract';
import type { Clock } from '@sealpost/contract/ports';
import type { Ids } from '../../platform/kernel/ids.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { insertNotice, type NoticeRow, noticesAfter, noticesBefore, withdrawNotice } from './queries.ts';

export interface NoticeQuery {
  readonly lang?: string | undefined;
  readonly country?: string | undefined;
  readonly nextSeq?: string | number | undefined;
  readonly includeBody?: string | undefined;
}

export interface NewNotice {
  readonly title: string;
  readonly body: string;
  /** Language code of two letters; undefined for all languages. */
  readonly language?: string | undefined;
  readonly country?: string | undefined;
  readonly showTimingWhenLogin?: boolean | undefined;
}

export interface Notices {
  /**
   * Returns a page of the notices after `nextSeq`, oldest first. With the `nextSeq` of the result, the caller asks for
   * the next page.
   */
  page(query: NoticeQuery): Promise<{ documents: NoticeDocument[]; nextSeq: string }>;
  publish(notice: NewNotice, also: (tx: Tx, id: number) => Promise<void>): Promise<NoticeRow>;
  /** Withdraws a notice; returns false if no published notice has the id. */
  withdraw(id: number, also: (tx: Tx, title: string) => Promise<void>): Promise<boolean>;
  /** Returns notices, newest first, starting before the notice with id `before`. Withdrawn notices are included. */
  list(before: number, limit: number): Promise<NoticeRow[]>;
}

const PAGE = 50;

export function createNotices(store: Store, ids: Ids, clock: Clock): Notices {
  return {
    async page({ lang = '', country = '', nextSeq, includeBody }) {
      const after = nextSeq ? parseI64(nextSeq) : 0;
      if (after === undefined) throw new ApiError('REQUEST_SCHEMA', `nextSeq must be an integer, not "${nextSeq}"`);
      const [language = ''] = lang.toLowerCase().split(/[-_]/);
      const rows = await store.read((reader) => reader.all(noticesAfter, after, language, country.toUpperCase(), PAGE));
      const documents = rows.map((row) => documentFrom(row, includeBody !== 'false'));
      return { documents, nextSeq: documents.at(-1)?.id ?? String(after) };
    },
    publish: ({ title, body, language = '', country = '', showTimingWhenLogin = false }, also) =>
      store.transact(async (tx) => {
        const row: NoticeRow = {
          id: ids.next(),
          language: language.toLowerCase(),
          country: country.toUpperCase(),
          title,
          body,
          show_timing_when_login: showTimingWhenLogin ? 1 : 0,
          created_time: clock.now(),
          withdrawn_time: null,
        };
        await tx.run(
          insertNotice,
          row.id,
          row.language,
          row.country,
          title,
          body,
          row.show_timing_when_login,
          row.created_time,
        );
        await also(tx, row.id);
        return row;
      }),
    withdraw: (id, also) =>
      store.transact(async (tx) => {
        const withdrawn = await tx.one(withdrawNotice, clock.now(), id);
        if (!withdrawn) return false;
        await also(tx, withdrawn.title);
        return true;
      }),
    list: (before, limit) => store.read((reader) => reader.all(noticesBefore, before, limit)),
  };
}

function documentFrom(row: NoticeRow, withBody: boolean): NoticeDocument {
  return {
    id: String(row.id),
    title: row.title,
    ...(withBody ? { body: row.body } : {}),
    createdTime: String(row.created_time),
    extras: { showTimingWhenLogin: row.show_timing_when_login === 1 },
  };
}
