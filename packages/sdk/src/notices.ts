// The notices that the operator publishes for a language and a country.
import type { NoticeDocument } from '@sealpost/contract';
import type { RpcClient } from './rpc-client.ts';

export interface NoticesOptions {
  /** The `nextSeq` of an earlier answer. If given, only later notices are returned. */
  readonly after?: string;
  /** The language in two letters; that of the client's locale if not given. */
  readonly language?: string;
  /** The country in two letters; that of the client's locale if not given. */
  readonly country?: string;
}

export interface NoticesPage {
  readonly notices: readonly NoticeDocument[];
  /** The value to pass as `after` in the next call. */
  readonly nextSeq: string;
}

export class Notices {
  readonly #rpc: Pick<RpcClient, 'http'>;
  readonly #language: string;
  readonly #country: string;

  constructor(rpc: Pick<RpcClient, 'http'>, locale: string) {
    this.#rpc = rpc;
    [this.#language = '', this.#country = ''] = locale.split(/[-_]/);
  }

  /** Returns all notices, oldest first. With `after`, returns only the notices after an earlier answer. */
  async read(options: NoticesOptions = {}): Promise<NoticesPage> {
    const { after = '0', language = this.#language, country = this.#country } = options;
    const notices: NoticeDocument[] = [];
    for (let nextSeq = after; ; ) {
      const query = { lang: language, country, nextSeq, includeBody: 'true' };
      const page = await this.#rpc.http.notices(query);
      notices.push(...page.documents);
      if (page.documents.length === 0 || page.nextSeq === nextSeq) return { notices, nextSeq };
      nextSeq = page.nextSeq;
    }
  }
}
