import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createRawClient } from '@sealpost/conformance/testing';
import { httpPaths, type NoticeDocument } from '@sealpost/contract';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { admin, operator } from '@sealpost/dev-env/people';
import type { AdminArgs } from '@sealpost/sdk/admin';

interface Page {
  readonly documents: NoticeDocument[];
  readonly nextSeq: string;
}

for (const database of databases) {
  describe(`notices on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    before(async () => {
      server = await startServer({ database });
      alice = await server.user('alice');
    });
    after(() => server.close());

    const read = async (query: Record<string, string>): Promise<Page> => {
      const raw = createRawClient({ url: server.url });
      const token = alice.client.session?.tokens.accessToken;
      const answer = await raw.send(`${httpPaths.notices}?${new URLSearchParams(query)}`, { verb: 'GET', token });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.data as unknown as Page;
    };
    const publish = async (notice: AdminArgs<'publishNotice'>): Promise<string> =>
      (await operator(server).publishNotice(notice)).id;
    const titles = (page: Page) => page.documents.map(({ title }) => title);

    test('a cursor that is not a number is refused by its name', async () => {
      const token = alice.client.session?.tokens.accessToken;
      const raw = createRawClient({ url: server.url });
      const { status, body } = await raw.send(`${httpPaths.notices}?nextSeq=abc`, { verb: 'GET', token });
      assert.deepEqual([status, body.code], [400, 10003]);
      assert.match(body.message, /nextSeq must be an integer, not "abc"/);
    });

    test('text that no database keeps is refused', async () => {
      for (const text of ['a\0b', '\ud800']) {
        for (const notice of [
          { title: text, body: 'b' },
          { title: 'a', body: text },
        ]) {
          await assert.rejects(operator(server).publishNotice(notice), { status: 400 });
        }
      }
    });

    test('without notices the list is empty and the cursor stays', async () => {
      assert.deepEqual(await read({ nextSeq: '0', includeBody: 'true' }), { documents: [], nextSeq: '0' });
    });

    test('a reader gets the notices of its language and country, and goes on where it stopped', async () => {
      await publish({ title: 'all', body: 'for everybody' });
      await publish({ title: 'en', body: 'english', language: 'en', showTimingWhenLogin: true });
      await publish({ title: 'ja', body: 'japanese', language: 'ja', country: 'jp' });
      const english = await read({ lang: 'en_US', country: 'US', nextSeq: '0', includeBody: 'true' });
      assert.deepEqual(titles(english), ['all', 'en']);
      assert.deepEqual(
        english.documents.map(({ extras }) => extras.showTimingWhenLogin),
        [false, true],
      );
      assert.equal(english.documents[0]?.body, 'for everybody');
      const japanese = await read({ lang: 'ja', country: 'JP', nextSeq: '0', includeBody: 'false' });
      assert.deepEqual(titles(japanese), ['all', 'ja']);
      assert.equal('body' in (japanese.documents[0] as object), false);
      assert.deepEqual(titles(await read({ lang: 'ja', country: 'TH' })), ['all']);

      const rest = await read({ lang: 'en_US', nextSeq: english.nextSeq });
      assert.deepEqual(rest, { documents: [], nextSeq: english.nextSeq });
      await publish({ title: 'news', body: '' });
      assert.deepEqual(titles(await read({ lang: 'en_US', nextSeq: english.nextSeq })), ['news']);
    });

    test('many notices come in pages', async () => {
      for (let i = 0; i < 55; i++) await publish({ title: `page ${i}`, body: '', country: 'ZZ' });
      const found: string[] = [];
      const sizes: number[] = [];
      let cursor = '0';
      for (;;) {
        const page = await read({ country: 'ZZ', nextSeq: cursor });
        if (page.documents.length === 0) break;
        sizes.push(page.documents.length);
        found.push(...titles(page));
        cursor = page.nextSeq;
      }
      assert.equal(new Set(found.filter((title) => title.startsWith('page'))).size, 55);
      assert.deepEqual([sizes[0], sizes.length], [50, 2]);
    });

    test('a withdrawn notice is gone for readers and marked for operators; both steps are in the audit log', async () => {
      const id = await publish({ title: 'mistake', body: '', country: 'XX' });
      assert.ok(titles(await read({ country: 'XX' })).includes('mistake'));
      const withdraw = () => operator(server).withdrawNotice({ notice: id });
      await withdraw();
      await assert.rejects(withdraw(), { status: 404 });
      assert.equal(titles(await read({ country: 'XX' })).includes('mistake'), false);
      const [newest] = (await operator(server).listNotices({ limit: 1 })).notices;
      assert.ok(newest?.withdrawnTime);
      const { entries } = await operator(server).listAudit({ limit: 2 });
      assert.deepEqual(
        entries.map(({ action, subject }) => [action, subject]),
        [
          ['notice.withdraw', id],
          ['notice.publish', id],
        ],
      );
    });

    test('a notice of the wrong form is refused field by field', async () => {
      for (const body of [
        {},
        { title: '', body: '' },
        { title: 'x', body: 'y', language: 'english' },
        { title: 'x', body: 'y', x: 1 },
      ]) {
        const answer = await admin(server, 'POST', '/notices', body);
        assert.equal(answer.status, 400);
        assert.ok(((answer.body as { errors: unknown[] }).errors ?? []).length > 0);
      }
      await assert.rejects(operator(server).withdrawNotice({ notice: 'abc' }), { status: 404 });
    });
  });
}
