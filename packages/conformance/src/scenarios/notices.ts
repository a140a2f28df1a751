import { httpPaths } from '@sealpost/contract';
import { httpEndpoints } from '@sealpost/contract/schemas';
import { expectSchema, expectSuccess } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual } from '../mismatch.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';

const heading = 'Operation stream, long polls, notices';
/** A language that no user has, so that only the run sees the notices in it. */
const LANGUAGE = 'zz';

interface Page {
  readonly documents: readonly { readonly id: string; readonly title: string; readonly body?: string }[];
  readonly nextSeq: string;
}

async function read({ raw }: World, { token }: Person, query: Readonly<Record<string, string>>): Promise<Page> {
  const path = `${httpPaths.notices}?${new URLSearchParams({ lang: LANGUAGE, country: 'JP', ...query })}`;
  const page = expectSuccess('notices', await raw.send(path, { verb: 'GET', token }));
  expectSchema('the page of notices', httpEndpoints.notices.response.schema, page);
  return page as Page;
}

/**
 * Reads all notices from a position on. The list may grow during the reading, because other checks and other runs
 * publish notices too.
 */
async function readAll(world: World, person: Person, from: string): Promise<Page> {
  const documents: Page['documents'][number][] = [];
  for (let nextSeq = from; ; ) {
    const page = await read(world, person, { nextSeq, includeBody: 'true' });
    if (page.documents.length === 0) {
      expectEqual('the position after an empty page to be', page.nextSeq, nextSeq);
      return { documents, nextSeq };
    }
    documents.push(...page.documents);
    nextSeq = page.nextSeq;
  }
}

async function publish({ admin, onEnd }: World, title: string): Promise<string> {
  const notice = { title, body: 'a check of the server', language: LANGUAGE };
  const { id } = await admin.publishNotice(notice);
  onEnd(() => admin.withdrawNotice({ notice: id }));
  return id;
}

export const notices = scenarios('notices', {
  pages: {
    endpoint: 'notices',
    heading,
    expects: 'A notice comes once to a reader that continues with the returned nextSeq',
    async run(world) {
      const alice = await world.account();
      const { nextSeq } = await readAll(world, alice, '0');
      const id = await publish(world, 'conformance');
      const first = await readAll(world, alice, nextSeq);
      const second = await readAll(world, alice, first.nextSeq);
      const seen = [first, second].map(({ documents }) =>
        documents.filter((document) => document.id === id).map(({ title, body }) => ({ title, body })),
      );
      expectEqual('the notice to be', seen, [[{ title: 'conformance', body: 'a check of the server' }], []]);
    },
  },
  language: {
    endpoint: 'notices',
    heading,
    expects: 'A notice for one language does not come to readers of another',
    async run(world) {
      const alice = await world.account();
      const { nextSeq } = await readAll(world, alice, '0');
      const id = await publish(world, 'conformance');
      const { documents } = await read(world, alice, { nextSeq, lang: 'en_US' });
      expectEqual(
        'the notice to be there',
        documents.some((document) => document.id === id),
        false,
      );
    },
  },
});
