// The places for local state: each keeps rows in order, in atomic commits, for one owner at a time.
import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { browserStore, clientStore, memoryKeyStore, memoryState, type StateStore, StoreError } from '@sealpost/sdk';
import { folderStore } from '@sealpost/sdk/node';
import { LocalState, table } from '../src/store/local-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-state-'));
after(() => rmSync(folder, { recursive: true }));

const stores: Readonly<Record<string, StateStore>> = {
  memory: memoryState(),
  sqlite: folderStore(folder).state,
  'indexed db': browserStore('state').state,
};
/** A cheap derivation of the key, as no real store has it. */
const cost = { memoryKiB: 64, passes: 1, lanes: 1 };
const fails = (error: unknown): never => assert.fail(String(error));
const account = `u${'1'.repeat(32)}`;

for (const [name, store] of Object.entries(stores)) {
  describe(`local state in ${name}`, () => {
    test('rows come in the order of their keys, from either end, as many as wanted', async () => {
      const rows = await store.open(account);
      await rows.commit(['b/2', 'a/1', 'b/1', 'c', 'b/10'].map((key) => ({ key, value: `value of ${key}` })));
      const keys = async (...of: Parameters<typeof rows.range>) => (await rows.range(...of)).map(({ key }) => key);
      assert.deepEqual(await keys('b/', 'b/\uffff'), ['b/1', 'b/10', 'b/2']);
      assert.deepEqual(await keys('b/', 'b/\uffff', { limit: 2, reverse: true }), ['b/2', 'b/10']);
      assert.deepEqual(await keys('b/1', 'b/2', { limit: 1 }), ['b/1']);
      assert.deepEqual(await keys('b/', 'c', { limit: Number.POSITIVE_INFINITY, reverse: true }), [
        'b/2',
        'b/10',
        'b/1',
      ]);
      assert.equal(await rows.get('b/2'), 'value of b/2');
      await rows.commit([
        { key: 'b/2', value: undefined },
        { key: 'c', value: new Uint8Array([1, 2, 3]) },
      ]);
      assert.equal(await rows.get('b/2'), undefined);
      assert.deepEqual(new Uint8Array((await rows.get('c')) as Uint8Array), new Uint8Array([1, 2, 3]));
      await rows.close();
    });

    test('rows stay until they are removed', async () => {
      const rows = await store.open(account);
      assert.equal(await rows.get('a/1'), 'value of a/1');
      await rows.close();
      await store.remove(account);
      const anew = await store.open(account);
      assert.equal(await anew.get('a/1'), undefined);
      await anew.close();
    });

    test('a table lists all its records, whatever letters their ids begin with', async () => {
      const [many, next] = [table<string>('many'), table<string>('many0')];
      const state = await LocalState.open(await store.open(account), [], fails);
      const ids = ['', 'a', 'z', '\u3042', '\uffee', '\u{1f600} party', 'own/\u{1f600}'];
      await state.change(async (tx) => {
        for (const id of ids) tx.put(many, id, id);
        tx.put(next, 'a', 'of another table');
      });
      const listed = (list: readonly (readonly [string, string])[]) => list.map(([id]) => id).toSorted();
      assert.deepEqual(listed(await state.list(many)), ids.toSorted());
      assert.deepEqual(listed(await state.change((tx) => tx.list(many))), ids.toSorted());
      assert.deepEqual(listed(await state.list(many, { prefix: 'own/' })), ['own/\u{1f600}']);
      await state.close();
      const loaded = await LocalState.open(await store.open(account), [{ ...many, inMemory: true }], fails);
      assert.deepEqual([...loaded.all(many).keys()].toSorted(), ids.toSorted());
      await loaded.close();
    });

    test('there is one owner at a time', async () => {
      const rows = await store.open(account);
      await assert.rejects(store.open(account), (error) => error instanceof StoreError && error.kind === 'in-use');
      const other = await store.open(`u${'2'.repeat(32)}`);
      await other.close();
      await rows.close();
      await (await store.open(account)).close();
    });
  });
}

test('a store whose key is lost says so, instead of reading nothing', async () => {
  const { sealedRows } = await import('../src/store/sealed-rows.ts');
  const keys = memoryKeyStore();
  const state = memoryState();
  const rows = await sealedRows(await state.open(account), keys, account);
  await rows.commit([{ key: 'message/1', value: 'a secret' }]);
  assert.equal(await rows.get('message/1'), 'a secret');
  await rows.close();
  const bare = await state.open(account);
  const stored = await bare.get('message/1');
  assert.ok(stored instanceof Uint8Array && !Buffer.from(stored).includes('secret'));
  await bare.close();
  const others = await sealedRows(await state.open(account), memoryKeyStore(), account);
  await assert.rejects(others.get('message/1'), (error) => error instanceof StoreError && error.kind === 'locked');
  await others.close();
});

test('a store keeps the login, sealed under its passphrase', async () => {
  const { memoryRecords } = await import('../src/key-store/key-records.ts');
  const records = memoryRecords();
  const session = { mid: account, tokens: { accessToken: 'secret' } } as never;
  const storeWith = (passphrase: string) => clientStore(records, memoryState(), { passphrase, cost });
  await storeWith('opens it').session.save(session);
  assert.deepEqual(await storeWith('opens it').session.load(), session);
  await assert.rejects(async () => storeWith('does not').session.load());
  for (const text of (await records.list('')).values()) assert.doesNotMatch(text, /secret/);
});
