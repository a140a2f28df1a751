// What the server removes, at both edges of each period: data is kept in its last millisecond and removed in the next.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { limits } from '@sealpost/contract';
import { databases, startServer, type TestUser } from '@sealpost/dev-env/harness';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { GatewayError } from '@sealpost/sdk';
import { systemPorts } from '../../src/platform/kernel/system.ts';
import { sql } from '../../src/platform/store/sql.ts';

const endedSessions = sql<{ count: number }>(
  'select count(*) as count from login_session where revoked_time is not null',
);

const operationsIn = sql<{ count: number }>('select count(*) as count from operation where account_id = ?');

const allSessions = sql<{ count: number }>('select count(*) as count from login_session');

const DAY_MS = 86_400_000;
/** Milliseconds. Regular work with at least this interval runs only when the test says so. */
const SLOW_MS = 5_000;
/**
 * `LOOKS`: the number of checks after which the test fails. `LOOKS_PER_SWEEP`: the number of checks from one run of the
 * regular work to the next.
 */
const LOOKS = 300;
const LOOKS_PER_SWEEP = 20;

for (const database of databases) {
  describe(`forgetting on ${database}`, () => {
    async function started(t: TestContext, flags: Readonly<Record<string, string>> = {}) {
      const clock = virtualTime(Date.now());
      const regular = new Set<() => void>();
      const timers = {
        after: systemPorts.timers.after,
        every(ms: number, run: () => void) {
          if (ms < SLOW_MS) return systemPorts.timers.every(ms, run);
          regular.add(run);
          return { cancel: () => regular.delete(run) };
        },
      };
      const server = await startServer({ database, flags, ports: { clock, timers } });
      t.after(() => server.close());
      return {
        server,
        clock,
        /** Runs the regular work until the given check succeeds. */
        async sweepUntil(look: () => Promise<boolean>): Promise<void> {
          for (let i = 0; i < LOOKS; i += 1) {
            if (i % LOOKS_PER_SWEEP === 0) for (const run of regular) run();
            if (await look()) return;
            await turn();
          }
          assert.fail('the sweep does not do it');
        },
      };
    }

    const create = async ({ client }: TestUser, reqSeq: number) =>
      (await client.TalkService.createChat({ reqSeq, type: 1, targetUserMids: [] })).chat.chatMid;
    /** Returns the first revision that the log still has, as a client sees it. */
    async function begins({ client }: TestUser): Promise<number> {
      const head = Number(await client.TalkService.getLastOpRevision());
      for (let after = 0; after < head; after += 1) {
        try {
          const [first] = await client.TalkService.fetchOps(after, 1);
          return Number(first?.revision);
        } catch (error) {
          if (!(error instanceof GatewayError) || error.error !== 'EXPIRED_REVISION') throw error;
        }
      }
      return head + 1;
    }

    test('a repeated call is answered from memory for a day, and not a millisecond longer', async (t) => {
      const { server, clock, sweepUntil } = await started(t);
      const alice = await server.user('alice');
      const older = await create(alice, 11);
      clock.move(1);
      const younger = await create(alice, 12);
      clock.move(limits.requestMemoryMs.value);
      await sweepUntil(async () => (await create(alice, 11)) !== older);
      assert.equal(await create(alice, 12), younger);
      clock.move(1);
      await sweepUntil(async () => (await create(alice, 12)) !== younger);
    });

    test('an operation stays in the log for its days, and not a millisecond longer', async (t) => {
      const { server, clock, sweepUntil } = await started(t, { 'operation-days': '1' });
      const alice = await server.user('alice');
      await create(alice, 0);
      const first = Number(await alice.client.TalkService.getLastOpRevision());
      clock.move(1);
      await create(alice, 0);
      clock.move(DAY_MS);
      assert.equal(await begins(alice), 1);
      await sweepUntil(async () => (await begins(alice)) > 1);
      assert.equal(await begins(alice), first + 1);
    });

    test('the log of an account keeps its newest operations, exactly as many as it may', async (t) => {
      const { server, sweepUntil } = await started(t, { 'operation-count': '100' });
      const alice = await server.user('alice');
      await Promise.all(Array.from({ length: 102 }, (_, i) => alice.client.sendText(alice.mid, `text ${i}`)));
      const head = Number(await alice.client.TalkService.getLastOpRevision());
      await sweepUntil(async () => (await begins(alice)) > 1);
      assert.equal(await begins(alice), head - 99);
    });

    test('operations below the log are removed, but sends only when they are no longer repeated', async (t) => {
      const { server, clock, sweepUntil } = await started(t, { 'operation-count': '100' });
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      const rowsOf = ({ mid }: TestUser) =>
        server.server.store.read(async (reader) => {
          const account = await server.server.slices.accounts.findByMid(reader, mid);
          return (await reader.one(operationsIn, account?.id ?? 0))?.count ?? 0;
        });
      const before = await rowsOf(alice);
      await Promise.all(Array.from({ length: 110 }, (_, i) => alice.client.sendText(bob.mid, `text ${i}`)));
      await sweepUntil(async () => (await rowsOf(bob)) <= 100 && (await begins(alice)) > 10);
      assert.deepEqual([await rowsOf(bob), await rowsOf(alice)], [100, 110]);
      assert.ok(before < 10, 'everything else in the log of the sender was below it');
      clock.move(limits.requestMemoryMs.value + 1);
      await sweepUntil(async () => (await rowsOf(alice)) < 110);
      assert.equal(await rowsOf(alice), 100);
    });

    test('a session that ended is kept for thirty days, and not a millisecond longer', async (t) => {
      const { server, clock, sweepUntil } = await started(t);
      const alice = await server.user('alice');
      const [first, second] = [await alice.session(), await alice.session()];
      await first.logout();
      clock.move(1);
      await second.logout();
      const kept = async () => (await server.server.store.read((reader) => reader.one(endedSessions)))?.count;
      assert.equal(await kept(), 2);
      clock.move(30 * DAY_MS);
      await sweepUntil(async () => (await kept()) !== 2);
      assert.equal(await kept(), 1);
    });

    test('a session that nobody renewed for a year is kept for thirty days more, and not a millisecond longer', async (t) => {
      const { server, clock, sweepUntil } = await started(t);
      const alice = await server.user('alice');
      clock.move(1);
      await alice.session();
      const kept = async () => (await server.server.store.read((reader) => reader.one(allSessions)))?.count;
      assert.equal(await kept(), 2);
      clock.move((365 + 30) * DAY_MS);
      await sweepUntil(async () => (await kept()) !== 2);
      assert.equal(await kept(), 1);
    });

    test('a message can be unsent in the last millisecond of its window, and not in the next', async (t) => {
      const { server, clock } = await started(t);
      const alice = await server.user('alice');
      const { TalkService } = alice.client;
      const first = await alice.client.sendText(alice.mid, 'in time');
      clock.move(1);
      const second = await alice.client.sendText(alice.mid, 'too late');
      clock.move(Number(first.createdTime) + limits.unsendWindowMs.value - clock.now());
      await TalkService.unsendMessage(21, first.id);
      clock.move(Number(second.createdTime) + limits.unsendWindowMs.value + 1 - clock.now());
      await assert.rejects(
        TalkService.unsendMessage(22, second.id),
        (error) => error instanceof GatewayError && error.error === 'MESSAGE_NOT_DESTRUCTIBLE',
      );
    });
  });
}
