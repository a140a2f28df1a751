// Servers that share the work of log subscribers, each with a clock that the test moves.
import assert from 'node:assert/strict';
import { after as atEnd, before, describe, test } from 'node:test';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import { createRunningServers } from '../../../src/platform/servers/running-servers.ts';
import { sql } from '../../../src/platform/store/sql.ts';
import { type Store, StoreSilent } from '../../../src/platform/store/store.ts';
import { createShares, SHARES } from '../../../src/platform/subscriber/shares.ts';

const { every, after: real } = systemPorts.timers;
const timers = { every, after: (ms: number, run: () => void) => real(ms / 100, run) };
const everyShare = Array.from({ length: SHARES }, (_, share) => share);

for (const database of databases) {
  describe(`shares on ${database}`, () => {
    let server: TestServer;
    let now = 0;
    const nobody = new AbortController().signal;
    before(async () => {
      server = await startServer({ database });
    });
    atEnd(() => server.close());

    function join(
      openAccounts: () => Iterable<number> = () => [],
      isBusy = (_share: number) => false,
      store: Store = server.server.store,
    ) {
      const clock = { now: () => now, monotonic: () => now };
      const servers = createRunningServers({ ...systemPorts, timers, store, clock, openAccounts });
      const shares = createShares({ store, servers, isBusy });
      return { servers, shares, held: () => everyShare.filter((share) => shares.holds(share)) };
    }
    type Member = ReturnType<typeof join>;

    async function settle(...members: readonly Member[]): Promise<void> {
      for (let round = 0; round < 4; round++) for (const { shares } of members) await shares.keep();
    }
    /** Lets time pass until the others have given up those that are not among the members. */
    async function outlive(...members: readonly Member[]): Promise<void> {
      for (let second = 0; second < 24; second++) {
        now += 1_000;
        for (const { shares } of members) await shares.keep();
      }
    }

    test('servers divide the shares, and a dead one leaves its own to the others', async () => {
      const [one, two] = [join(), join()];
      await outlive(one);
      assert.equal(one.held().length >= SHARES / 2 - 1, true);
      await settle(one, two);
      const both = [one.held(), two.held()];
      assert.deepEqual(
        everyShare.filter((share) => both.every((held) => held.includes(share))),
        [],
        'no share has two servers',
      );
      assert.notEqual(both[0]?.length, 0);
      assert.notEqual(both[1]?.length, 0);
      await outlive(two);
      assert.deepEqual(one.held(), [], 'a server that could not raise its beat holds nothing');
      await settle(two);
      assert.equal(two.held().length > (both[1]?.length ?? 0), true);
      assert.deepEqual(
        both[0]?.filter((share) => !two.held().includes(share) && !isHarness(two)),
        [],
      );
      await settle(one, two);
      assert.notDeepEqual(one.held(), [], 'a server that comes back gets shares again');
      await one.shares.leave();
      await two.shares.leave();
    });

    /** On PostgreSQL, the server of the harness takes part too. */
    const isHarness = ({ servers }: Member): boolean => servers.living().length > 1;

    test('a share is given up only when nothing of it is being handled', async () => {
      let isBusy = true;
      const one = join(
        () => [],
        () => isBusy,
      );
      await outlive(one);
      const before = one.held();
      const two = join();
      await settle(one, two);
      const given = before.filter((share) => !one.held().includes(share));
      assert.notEqual(given.length, 0);
      assert.deepEqual(
        two.held().filter((share) => given.includes(share)),
        [],
      );
      isBusy = false;
      await settle(one, two);
      assert.notDeepEqual(
        two.held().filter((share) => given.includes(share)),
        [],
      );
      await one.shares.leave();
      await two.shares.leave();
    });

    test('a stream of another server counts while that server lives', async () => {
      const open = new Set([4711]);
      const [one, two] = [join(() => open), join()];
      await settle(one, two);
      assert.equal(await two.servers.isOpenElsewhere(12, nobody), false);
      const asked = two.servers.isOpenElsewhere(4711, nobody);
      let isBeating = true;
      const beating = until(async () => {
        await one.servers.beat();
        return !isBeating;
      }, 'the beats end');
      assert.equal(await asked, true);
      isBeating = false;
      await beating;
      open.clear();
      await one.servers.beat();
      assert.equal(await two.servers.isOpenElsewhere(4711, nobody), false);
      open.add(4711);
      await one.servers.beat();
      const silent = two.servers.isOpenElsewhere(4711, nobody);
      await outlive(two);
      assert.equal(await silent, false, 'the server with the stream is dead');
      await two.shares.leave();
    });

    test('a stream that ended after a beat without an answer does not count', async () => {
      const { store } = server.server;
      let isLost = false;
      const losing: Store = {
        ...store,
        read: (work) => store.read(work),
        transact: async (work) => {
          const result = await store.transact(work);
          if (isLost) throw new StoreSilent('the database does not answer');
          return result;
        },
      };
      const open = new Set<number>();
      const [one, two] = [join(() => open, undefined, losing), join()];
      await settle(one, two);
      open.add(4711);
      isLost = true;
      await assert.rejects(one.servers.beat(), StoreSilent);
      isLost = false;
      open.clear();
      for (let beats = 0; beats < 2; beats += 1) await one.servers.beat();
      const row = sql('select account_id from open_account where account_id = ?');
      assert.equal(await store.read((reader) => reader.one(row, 4711)), undefined);
      await one.shares.leave();
      await two.shares.leave();
    });
  });
}
