// An official account with more followers than one transaction tells.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationTypes, profileAttributes } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { account } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import { virtualTime } from '@sealpost/dev-env/virtual-time';
import { systemPorts } from '@sealpost/sdk';
import { sql, sqlSet } from '../../../src/platform/store/sql.ts';
import { createFollowerCounts } from '../../../src/slices/contacts/follower-counts.ts';

/** As many as two later transactions tell, and one more than a transaction of a change tells. */
const MANY = 1001;
/** Milliseconds between two times of the regular work that tells followers. */
const UPKEEP_MS = 5_000;

const ids = { id: 'bigint', mid: 'text' } as const;
const inserts = [
  sqlSet(
    ids,
    `insert into account (id, mid, kind, region_code, password_hash, created_time)
     select id, mid, 'user', '', '', 0 from {given}`,
  ),
  sqlSet(ids, `insert into profile (account_id, display_name) select id, mid from {given}`),
  sqlSet(
    ids,
    'insert into operation_head (account_id, revision, first_revision, last_message_id) select id, 0, 1, 0 from {given}',
  ),
];
const follow = sqlSet(
  { owner_id: 'bigint', contact_id: 'bigint', added: 'bigint', added_by_time: 'bigint' },
  `insert into contact (owner_id, contact_id, added, added_by_time)
   select owner_id, contact_id, added, added_by_time from {given}`,
);
const idOf = sql<{ id: number }>('select id from account where mid = ?');
const toldTimes = sql<{ times: number; followers: number }>(
  `select revision as times, count(*) as followers from operation_head where account_id <= ${MANY}
   group by revision order by revision`,
);
const relationsLeft = sql<{ count: number }>('select count(*) as count from contact');
const newsLeft = sql<{ count: number }>('select count(*) as count from owed_news');

async function insertFollowers(server: TestServer, mid: string): Promise<number> {
  const followers = Array.from({ length: MANY }, (_, i) => [i + 1, `u${String(i).padStart(32, '0')}`] as const);
  return server.server.store.transact(async (tx) => {
    const id = (await tx.one(idOf, mid))?.id ?? 0;
    for (const query of inserts) await tx.each(query, followers);
    await tx.each(
      follow,
      followers.flatMap(([follower]) => [
        [id, follower, 0, 1],
        [follower, id, 1, 0],
      ]),
    );
    return id;
  });
}

for (const database of databases) {
  describe(`an account with ${MANY} followers on ${database}`, () => {
    test('each follower is told of each change once and in order, and of the end of the account', async () => {
      const upkeep: (() => void)[] = [];
      const timers: Timers = {
        ...systemPorts.timers,
        every(ms, run, options) {
          if (ms !== UPKEEP_MS) return systemPorts.timers.every(ms, run, options);
          upkeep.push(run);
          return { cancel() {} };
        },
      };
      const server = await startServer({ database, ports: { timers } });
      const shop = await account(server, { kind: 'official' });
      const bob = await server.user('bob');
      await bob.client.TalkService.findAndAddContactsByMid(0, 0, [shop.mid]);
      const id = await insertFollowers(server, shop.mid);
      const told = async () => server.server.store.read((reader) => reader.all(toldTimes));
      const owed = async () => (await server.server.store.read((reader) => reader.one(newsLeft)))?.count;
      const tellAll = () =>
        until(async () => {
          for (const run of upkeep) run();
          return (await owed()) === 0;
        }, 'all followers are told');
      const rename = (value: string) =>
        shop.client.TalkService.updateProfileAttributes(0, {
          profileAttributes: { [profileAttributes.DISPLAY_NAME]: { value } },
        });

      await rename('Tea');
      await rename('Coffee');
      assert.equal((await bob.client.TalkService.getContact(shop.mid)).displayName, 'Coffee');
      // The changes waited for none of them.
      assert.equal(await owed(), 2);
      assert.deepEqual(
        (await told()).map((row) => ({ ...row })),
        [{ times: 0, followers: MANY }],
      );
      await tellAll();
      assert.deepEqual(
        (await told()).map((row) => ({ ...row })),
        [{ times: 2, followers: MANY }],
      );
      const names = (await bob.log())
        .filter(({ type }) => type === operationTypes.NOTIFIED_UPDATE_PROFILE)
        .map(({ param3 }) => /Tea|Coffee/.exec(param3 ?? '')?.[0]);
      assert.deepEqual(names, ['Tea', 'Coffee']);

      await server.server.slices.accounts.remove(id);
      assert.deepEqual(await bob.client.TalkService.getAllContactIds(), []);
      await tellAll();
      assert.deepEqual(
        (await told()).map((row) => ({ ...row })),
        [{ times: 3, followers: MANY }],
      );
      const ends = (await bob.log()).filter(({ type }) => type === operationTypes.NOTIFIED_UNREGISTER_USER);
      assert.deepEqual(
        ends.map(({ param1 }) => param1),
        [shop.mid],
      );
      assert.equal((await server.server.store.read((reader) => reader.one(relationsLeft)))?.count, 0);
      shop.close();
      await server.close();
    });

    test('the count of many followers is remembered for a minute, and that of few is not', async () => {
      const server = await startServer({ database });
      const shop = await account(server, { kind: 'official' });
      const small = await account(server, { kind: 'official' });
      const bob = await server.user('bob');
      const { TalkService, BuddyService } = bob.client;
      const id = await insertFollowers(server, shop.mid);
      const countOf = async ({ mid }: { mid: string }) => (await BuddyService.getBuddyDetail(mid)).memberCount;
      assert.equal(await countOf(shop), String(MANY));
      assert.equal(await countOf(small), '0');
      const clock = virtualTime();
      const count = createFollowerCounts(clock);
      const counted = () => server.server.store.read((reader) => count(reader, id));
      assert.equal(await counted(), MANY);
      await TalkService.findAndAddContactsByMid(0, 0, [shop.mid, small.mid]);
      assert.equal(await countOf(small), '1');
      assert.equal(await counted(), MANY);
      clock.move(60_000);
      assert.equal(await counted(), MANY + 1);
      shop.close();
      small.close();
      await server.close();
    });
  });
}
