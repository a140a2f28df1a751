// How the operator finds accounts, what each uses, and how the audit log is narrowed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { searchedAtOnce } from '@sealpost/contract/admin';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { admin, operator } from '@sealpost/dev-env/people';
import type { AdminArgs, AdminClient } from '@sealpost/sdk/admin';
import { sql } from '../../../src/platform/store/sql.ts';
import { insertAccount, insertProfile } from '../../../src/slices/accounts/queries.ts';

const addUsage = sql('insert into media_usage (account_id, objects, bytes) values (?, ?, ?)');
const idOf = sql<{ id: number }>('select id from account where mid = ?');

for (const database of databases) {
  describe(`finding accounts on ${database}`, () => {
    let server: TestServer;
    let client: AdminClient;
    before(async () => {
      server = await startServer({ database });
      client = operator(server);
      await client.createAccount({
        ...{ userid: 'maya', password: 'correct horse 22', displayName: 'Maya Lindqvist' },
        ...{ email: 'maya@example.org', phone: '+4930123456' },
      });
      await client.createAccount({ userid: 'sakura', password: 'correct horse 22', displayName: '山田 さくら' });
      await client.createAccount({
        ...{ userid: 'library', password: 'correct horse 22', displayName: 'City Library', kind: 'official' },
      });
    });
    after(() => server?.close());

    const found = async (args: AdminArgs<'searchAccounts'>): Promise<(string | null)[]> =>
      (await client.searchAccounts(args)).accounts.map(({ userid }) => userid);

    test('by a part of the name, the user id, the mid, the e-mail address or the phone number', async () => {
      const { mid } = await client.showAccount({ account: 'maya' });
      for (const text of [
        'LINDQ',
        'maya',
        ' Maya ',
        mid,
        mid.slice(4, 20),
        'maya@EXAMPLE.org',
        '+4930123456',
        '123456',
      ])
        assert.deepEqual(await found({ text }), ['maya'], text);
      assert.deepEqual(await found({ text: 'さくら' }), ['sakura']);
      assert.deepEqual(await found({ text: 'ｍａｙａ' }), ['maya'], 'wide letters are the same letters');
      assert.deepEqual(await found({ text: '%' }), []);
      assert.deepEqual(await found({ text: "'; drop table account; --" }), []);
      assert.deepEqual(await found({}), ['maya', 'sakura', 'library']);
      assert.deepEqual(await found({ kind: 'official' }), ['library']);
      assert.deepEqual(await found({ kind: 'official', text: 'maya' }), []);
    });

    test('page by page, each account once, also one that the text names exactly', async () => {
      const pages: (string | null)[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.searchAccounts({ text: 'a', limit: 1, ...(cursor !== undefined && { cursor }) });
        pages.push(...page.accounts.map(({ userid }) => userid));
        cursor = page.cursor;
      } while (cursor !== undefined);
      assert.deepEqual(pages, ['maya', 'sakura', 'library']);
      await client.createAccount({ userid: 'ra', password: 'correct horse 22', displayName: 'Ra' });
      const first = await client.searchAccounts({ text: 'ra', limit: 1 });
      const rest = await client.searchAccounts({ text: 'ra', cursor: first.cursor ?? '' });
      assert.deepEqual(
        [...first.accounts, ...rest.accounts].map(({ userid }) => userid),
        ['ra', 'sakura', 'library'],
      );
    });

    test('a text that no database stores is refused', async () => {
      for (const path of ['/search/accounts?text=a%00b', '/audit?actor=%00', '/audit?subject=a%00'])
        assert.equal((await admin(server, 'GET', path)).status, 400, path);
      assert.equal((await admin(server, 'GET', `/search/accounts?text=${'x'.repeat(201)}`)).status, 400);
    });

    test('what an account uses: its live sessions, when one was seen, and its media', async () => {
      const owner: TestUser = await server.user('owner');
      await owner.session();
      const { id } = (await server.server.store.read((reader) => reader.one(idOf, owner.mid))) ?? { id: 0 };
      await server.server.store.transact((tx) => tx.run(addUsage, id, 3, 4_000));
      const { sessions } = await client.listSessions({ account: owner.mid });
      await client.endSession({ account: owner.mid, session: sessions[0]?.loginSessionId ?? '' });
      const shown = await client.showOverview({ account: owner.userid });
      assert.deepEqual([shown.sessions, shown.storage], [1, { objects: 3, bytes: 4_000 }]);
      assert.equal(
        shown.lastSeenTime,
        sessions
          .map(({ lastSeenTime }) => lastSeenTime)
          .sort()
          .at(-1),
      );
      const unused = await client.showOverview({ account: 'maya' });
      assert.deepEqual([unused.sessions, unused.storage], [0, { objects: 0, bytes: 0 }]);
      assert.equal('lastSeenTime' in unused, false);
      await assert.rejects(client.showOverview({ account: 'nobody' }), { status: 404 });
    });

    test('the accounts with the most media come first, and those without are left out', async () => {
      const [small, large] = [await server.user('small'), await server.user('large')];
      for (const [mid, bytes] of [
        [small.mid, 10],
        [large.mid, 90_000],
      ] as const) {
        const { id } = (await server.server.store.read((reader) => reader.one(idOf, mid))) ?? { id: 0 };
        await server.server.store.transact((tx) => tx.run(addUsage, id, 1, bytes));
      }
      const { accounts } = await client.listLargestAccounts();
      assert.equal(accounts[0]?.mid, large.mid);
      assert.equal(accounts.at(-1)?.mid, small.mid);
      assert.ok(accounts.every(({ storage }) => storage.bytes > 0));
      const one = await client.listLargestAccounts({ limit: 1 });
      assert.deepEqual(one.accounts, accounts.slice(0, 1));
      await client.deleteAccount({ account: large.mid });
      assert.ok((await client.listLargestAccounts()).accounts.every(({ mid }) => mid !== large.mid));
    });

    test('the keys of an account, and which one is current', async () => {
      const { client: own, mid } = await server.user('keyed');
      const register = (byte: number) =>
        own.TalkService.registerE2EEPublicKey(byte, { keyData: Buffer.alloc(32, byte).toString('base64') });
      await register(1);
      await register(2);
      const { keys } = await client.listKeys({ account: mid });
      assert.deepEqual(
        keys.map(({ keyData, current }) => [Buffer.from(keyData, 'base64')[0], current]),
        [
          [1, false],
          [2, true],
        ],
      );
      await assert.rejects(client.listKeys({ account: 'nobody' }), { status: 404 });
    });

    test('one call reads a bounded number of accounts, and the cursor goes on', async () => {
      await server.server.store.transact(async (tx) => {
        for (let i = 0; i < searchedAtOnce + 10; i += 1) {
          const id = Number.MAX_SAFE_INTEGER - 20_000 + i;
          const mid = `u${i.toString(16).padStart(32, '0')}`;
          await tx.run(insertAccount, id, mid, 'user', null, null, null, '', '', 0);
          await tx.run(insertProfile, id, i === searchedAtOnce + 5 ? 'the needle' : 'hay');
        }
      });
      const first = await client.searchAccounts({ text: 'needle' });
      assert.deepEqual(first.accounts, []);
      const second = await client.searchAccounts({ text: 'needle', cursor: first.cursor ?? '' });
      assert.deepEqual(
        second.accounts.map(({ displayName }) => displayName),
        ['the needle'],
      );
      assert.equal(second.cursor, undefined);
    });
  });

  describe(`filters of the audit log on ${database}`, () => {
    let server: TestServer;
    let client: AdminClient;
    const mids: string[] = [];
    before(async () => {
      server = await startServer({ database });
      client = operator(server);
      for (const userid of ['ann', 'ben']) {
        const { mid } = await client.createAccount({ userid, password: 'correct horse 22', displayName: userid });
        mids.push(mid);
        await client.disableAccount({ account: mid });
        await client.enableAccount({ account: mid });
      }
    });
    after(() => server?.close());

    const actions = async (args: AdminArgs<'listAudit'>): Promise<string[]> =>
      (await client.listAudit(args)).entries.map(({ action, subject }) => `${action} ${mids.indexOf(subject)}`);

    test('by actor, action and subject, alone and together', async () => {
      const [ann = ''] = mids;
      const all = await actions({});
      const [first] = (await client.listAudit()).entries;
      const actor = first?.actor ?? '';
      assert.equal(all.length, 6);
      assert.deepEqual(await actions({ actor }), all);
      assert.deepEqual(await actions({ actor: 'somebody' }), []);
      assert.deepEqual(await actions({ action: 'account.disable' }), ['account.disable 1', 'account.disable 0']);
      assert.deepEqual(await actions({ action: 'account' }), []);
      assert.deepEqual(await actions({ subject: ann }), ['account.enable 0', 'account.disable 0', 'account.create 0']);
      assert.deepEqual(await actions({ subject: ann, action: 'account.enable' }), ['account.enable 0']);
      assert.deepEqual(await actions({ subject: ann, actor: 'somebody' }), []);
      assert.deepEqual(await actions({ action: 'account.enable', actor: 'somebody' }), []);
      assert.deepEqual(await actions({ action: 'account.enable', actor }), ['account.enable 1', 'account.enable 0']);
    });

    test('page by page', async () => {
      const first = await client.listAudit({ action: 'account.create', limit: 1 });
      const second = await client.listAudit({ action: 'account.create', limit: 1, cursor: first.cursor ?? '' });
      assert.deepEqual(
        [...first.entries, ...second.entries].map(({ subject }) => subject),
        mids.toReversed(),
      );
    });

    test('entries have the name of their account, until it is deleted', async () => {
      const account = { userid: 'cem', password: 'correct horse 22', displayName: 'Cem' };
      const { mid } = await client.createAccount(account);
      const named = async () => (await client.listAudit({ subject: mid })).entries.map((entry) => entry.account);
      assert.deepEqual(await named(), [{ mid, userid: 'cem', displayName: 'Cem' }]);
      await client.deleteAccount({ account: mid });
      assert.deepEqual(await named(), [undefined, undefined]);
    });
  });
}
