import assert from 'node:assert/strict';
import { afterEach, after as atEnd, before, describe, test } from 'node:test';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { operator } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import { pino } from 'pino';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { sql } from '../../../src/platform/store/sql.ts';
import { LogSubscriber, type SubscriberDefinition } from '../../../src/platform/subscriber/log-subscriber.ts';
import { allShares } from '../../../src/platform/subscriber/shares.ts';

/** Pauses and back-offs are a five-hundredth as long, so that a test need not wait. */
const { every, after: real } = systemPorts.timers;
const timers = { every, after: (ms: number, run: () => void) => real(ms / 500, run) };

/** Attempts after which an operation is parked. */
const ATTEMPTS = 10;

const accountOf = sql<{ id: number }>('select id from account where mid = ?');
const parked = sql<{ revision: number; error: string }>(
  'select revision, error from parked_operation where subscriber = ? order by revision',
);
/** Counts the statements that wait for another transaction to end, on PostgreSQL. */
const blocked = sql<{ statements: number }>(
  `select count(*) as statements from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'
     and (query like 'insert into subscriber_cursor%' or query like 'insert into parked_operation%')`,
);
const cursors = sql<{ account_id: number }>('select account_id from subscriber_cursor where account_id = ?');

for (const database of databases) {
  describe(`log subscribers on ${database}`, { timeout: 120_000 }, () => {
    let server: TestServer;
    let alice: TestUser;
    const open: LogSubscriber[] = [];
    before(async () => {
      server = await startServer({ database });
      alice = await server.user('alice');
    });
    atEnd(() => server.close());
    afterEach(() => {
      for (const subscriber of open.splice(0)) subscriber.close();
    });

    const idOf = async ({ mid }: TestUser): Promise<number> =>
      (await server.server.store.read((reader) => reader.one(accountOf, mid)))?.id as number;

    /** Starts a subscriber of received messages. */
    async function subscribe(
      name: string,
      handle: SubscriberDefinition['handle'],
      wanted: SubscriberDefinition['wanted'] = async (_reader, ids) => new Set(ids),
    ): Promise<LogSubscriber> {
      const subscriber = new LogSubscriber(
        { name, types: ['RECEIVE_MESSAGE'], handle, wanted },
        {
          store: server.server.store,
          ports: { clock: systemPorts.clock, timers },
          logger: pino({ level: 'silent' }),
          shares: allShares,
        },
      );
      await subscriber.begin();
      open.push(subscriber);
      return subscriber;
    }

    const textOf = ({ body }: { body: string | null }) => (JSON.parse(body as string) as { text: string }).text;

    test('a subscriber begins at now, and gets what follows once, in the order of each log', async () => {
      const bob = await server.user('bob');
      await alice.client.sendText(bob.mid, 'before');
      const got: string[] = [];
      const subscriber = await subscribe('order', async (_id, operations) => void got.push(...operations.map(textOf)));
      const carol = await server.user('carol');
      for (let i = 1; i <= 120; i++) await alice.client.sendText(bob.mid, `bob ${i}`);
      await alice.client.sendText(carol.mid, 'carol 1');
      await subscriber.scan();
      await until(() => got.length === 121, 'all operations are handled');
      await subscriber.scan();
      await until(() => subscriber.lagMs() === 0, 'nothing waits');
      assert.deepEqual(
        got.filter((text) => text.startsWith('bob')),
        Array.from({ length: 120 }, (_, i) => `bob ${i + 1}`),
      );
      assert.deepEqual(
        got.filter((text) => !text.startsWith('bob')),
        ['carol 1'],
      );
      assert.equal(subscriber.counts.handled, 121);
    });

    test('a subscriber of the same name goes on where the last one ended', async () => {
      const bob = await server.user('bob');
      const first: string[] = [];
      const one = await subscribe('again', async (_id, operations) => void first.push(...operations.map(textOf)));
      await alice.client.sendText(bob.mid, '1');
      one.note(await idOf(bob));
      await until(() => one.counts.handled === 1, 'the first is handled');
      one.close();
      await alice.client.sendText(bob.mid, '2');
      const second: string[] = [];
      const two = await subscribe('again', async (_id, operations) => void second.push(...operations.map(textOf)));
      await two.scan();
      await until(() => second.length > 0, 'the second is handled');
      assert.deepEqual([first, second], [['1'], ['2']]);
    });

    test('an operation whose handling ended before its cursor moved comes again', async () => {
      const bob = await server.user('bob');
      let begun = 0;
      const handling = Promise.withResolvers<void>();
      const dying = await subscribe('crash', () => {
        begun += 1;
        return handling.promise;
      });
      await alice.client.sendText(bob.mid, 'one');
      await dying.scan();
      await until(() => begun === 1, 'the handling begins');
      dying.close();
      handling.resolve();
      const got: string[] = [];
      const next = await subscribe('crash', async (_id, operations) => void got.push(...operations.map(textOf)));
      await next.scan();
      await until(() => got.length > 0, 'the operation comes again');
      assert.deepEqual(got, ['one']);
    });

    test('an operation that never succeeds is tried again, then parked, and stops nobody else', async () => {
      const [bob, carol] = [await server.user('bob'), await server.user('carol')];
      const got: string[] = [];
      const tries: string[] = [];
      const subscriber = await subscribe('poison', async (_id, operations) => {
        tries.push(operations.map(textOf).join());
        for (const text of operations.map(textOf)) {
          if (text === 'poison') throw new Error('this cannot be handled');
          if (operations.length === 1 || !operations.map(textOf).includes('poison')) got.push(text);
        }
      });
      for (const text of ['good', 'poison', 'also good']) await alice.client.sendText(bob.mid, text);
      await alice.client.sendText(carol.mid, 'hello');
      await subscriber.scan();
      await until(() => got.includes('also good') && got.includes('hello'), 'the good ones are handled');
      assert.deepEqual(
        got.filter((text) => text !== 'hello'),
        ['good', 'also good'],
      );
      assert.equal(tries.filter((texts) => texts === 'poison').length > 1, true);
      assert.equal(subscriber.counts.parked, 1);
      const rows = await server.server.store.read((reader) => reader.all(parked, 'poison'));
      assert.deepEqual(
        rows.map(({ error }) => error),
        ['Error: this cannot be handled'],
      );
    });

    test('operations of accounts that are not wanted are passed over', async () => {
      const [bob, carol] = [await server.user('bob'), await server.user('carol')];
      const carolId = await idOf(carol);
      const got: string[] = [];
      const subscriber = await subscribe(
        'wanted',
        async (_id, operations) => void got.push(...operations.map(textOf)),
        async (_reader, ids) => new Set(ids.filter((id) => id === carolId)),
      );
      await alice.client.sendText(bob.mid, 'to bob');
      await alice.client.sendText(carol.mid, 'to carol');
      await subscriber.scan();
      await until(() => got.length > 0 && subscriber.lagMs() === 0, 'carol gets hers');
      assert.deepEqual(got, ['to carol']);
      const asked: number[] = [];
      const next = await subscribe(
        'wanted',
        async () => {},
        async (_reader, ids) => new Set(asked.push(...ids) > 0 ? [] : []),
      );
      await next.scan();
      assert.deepEqual(asked, [], 'nothing is left');
    });

    test('a subscriber behind the trimmed log notes the gap and goes on', async () => {
      const bob = await server.user('bob');
      const got: string[] = [];
      const subscriber = await subscribe('gap', async (_id, operations) => void got.push(...operations.map(textOf)));
      for (const text of ['1', '2', '3']) await alice.client.sendText(bob.mid, text);
      const id = await idOf(bob);
      await server.server.store.transact((tx) => server.server.log.trim(tx, id, 0, 1));
      await subscriber.scan();
      await until(() => got.length > 0, 'the rest is handled');
      assert.deepEqual(got, ['3']);
      assert.equal(subscriber.counts.missed, 2);
    });

    test('the cursors of a deleted account go with it', async () => {
      const bob = await server.user('bob');
      const id = await idOf(bob);
      const subscriber = await subscribe('deleted', async () => {});
      await alice.client.sendText(bob.mid, '1');
      await subscriber.scan();
      await until(() => subscriber.counts.handled > 0, 'it is handled');
      const rows = () => server.server.store.read((reader) => reader.all(cursors, id));
      assert.notEqual((await rows()).length, 0);
      await operator(server).deleteAccount({ account: bob.mid });
      assert.deepEqual(await rows(), []);
    });

    for (const { when, outcome } of [
      { when: 'its first operation is handled', outcome: 'handled' },
      { when: 'its operation is parked', outcome: 'parked' },
    ] as const) {
      test(`an account that is deleted while ${when} leaves nothing`, async () => {
        const bob = await server.user('bob');
        const id = await idOf(bob);
        const deleting = Promise.withResolvers<void>();
        let tries = 0;
        const subscriber = await subscribe(`late ${outcome}`, async () => {
          tries += 1;
          if (outcome === 'handled') return deleting.promise;
          if (tries === ATTEMPTS) await deleting.promise;
          throw new Error('this cannot be handled');
        });
        await alice.client.sendText(bob.mid, '1');
        await subscriber.scan();
        await until(() => tries === (outcome === 'handled' ? 1 : ATTEMPTS), 'the handling has begun');
        await server.server.slices.accounts.remove(id, async () => {
          deleting.resolve();
          // SQLite has one writer: what is written now waits for the end of this transaction.
          if (database === 'sqlite') return;
          const isWritten = () => subscriber.counts[outcome] > 0;
          const waits = async () =>
            ((await server.server.store.read((reader) => reader.one(blocked)))?.statements ?? 0) > 0;
          await until(async () => isWritten() || (await waits()), 'the cursor is written, or waits');
        });
        await until(() => [...subscriber.busyAccounts()].length === 0, 'the handling ended');
        const left = await server.server.store.read(async (reader) => [
          ...(await reader.all(cursors, id)),
          ...(await reader.all(parked, `late ${outcome}`)),
        ]);
        assert.deepEqual(left, []);
      });
    }
  });
}
