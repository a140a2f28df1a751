// Runs of withheld messages: how they are stored, and that reads pass over nothing else.
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { limits } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import pg from 'pg';
import { createPostgresTables, createSqliteTables } from '../../../src/platform/store/migrate.ts';
import { sql } from '../../../src/platform/store/sql.ts';

interface Stored {
  readonly id: number;
  readonly sender_id: number;
  readonly only_for: number | null;
  readonly withheld_after: number | null;
}
const STORED = 'select id, sender_id, only_for, withheld_after from message where chat_id = ? order by id';
const stored = sql<Stored>(STORED);
const chatOf = sql<{ chat_id: number; account_id: number }>(
  'select b.chat_id, b.account_id from message_box b join account a on a.id = b.account_id where a.mid = ? and b.chat_mid = ?',
);

/** Returns the values of `withheld_after` that messages in the order of their ids should have. */
function expectedRuns(rows: readonly Omit<Stored, 'withheld_after'>[]): (number | null)[] {
  let [start, before] = [0, { id: 0, only_for: null as number | null }];
  return rows.map((row) => {
    if (row.only_for !== before.only_for) start = before.id;
    before = row;
    return row.only_for === null ? null : start;
  });
}

for (const database of databases) {
  describe(`withheld messages on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());
    const talk = (user: TestUser) => user.client.TalkService;
    const block = (user: TestUser, other: TestUser) => talk(user).blockContact(user.client.nextReqSeq(), other.mid);
    const unblock = (user: TestUser, other: TestUser) => talk(user).unblockContact(user.client.nextReqSeq(), other.mid);
    const send = (from: TestUser, to: TestUser, count: number) =>
      Promise.all(Array.from({ length: count }, () => from.client.sendText(to.mid, 'hello')));

    test('every read shows the visible messages, however runs of both sides lie between', async () => {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      await block(bob, alice);
      await send(alice, bob, 4);
      await send(bob, alice, 2);
      await Promise.all([send(alice, bob, 5), send(bob, alice, 3)]);
      await block(alice, bob);
      for (let turn = 0; turn < 3; turn++) {
        await send(bob, alice, 2);
        await send(alice, bob, 1);
      }
      await unblock(bob, alice);
      await send(alice, bob, 2);
      await unblock(alice, bob);
      await send(bob, alice, 1);
      await block(bob, alice);
      await send(alice, bob, 3);

      for (const [viewer, other] of [
        [alice, bob],
        [bob, alice],
      ] as const) {
        const { own, rows } = await server.server.store.read(async (reader) => {
          const box = (await reader.one(chatOf, viewer.mid, other.mid)) ?? assert.fail('no chat');
          return { own: box.account_id, rows: await reader.all(stored, box.chat_id) };
        });
        assert.deepEqual(
          rows.map(({ withheld_after }) => withheld_after),
          expectedRuns(rows),
        );
        const seen = rows.filter(({ only_for }) => only_for === null || only_for === own).reverse();
        const ids = seen.map(({ id }) => String(id));
        for (const count of [1, 3, 100]) {
          for (const { id } of [...rows, { id: Number.MAX_SAFE_INTEGER }]) {
            const page = await talk(viewer).getPreviousMessagesV2WithRequest({
              ...{ messageBoxId: other.mid, endMessageId: { messageId: String(id) }, messagesCount: count },
            });
            const expected = ids.filter((shown) => Number(shown) < id).slice(0, count);
            assert.deepEqual(
              page.map((message) => message.id),
              expected,
              `${count} before ${id}`,
            );
          }
        }
        const { messageBoxes } = await talk(viewer).getMessageBoxes({ withUnreadCount: true, unreadOnly: true });
        const received = seen.filter(({ sender_id }) => sender_id !== own);
        assert.equal(messageBoxes[0]?.unreadCount, String(received.length));
        assert.equal(messageBoxes[0]?.lastDeliveredMessageId?.messageId, ids[0]);
        await talk(viewer).sendChatChecked(viewer.client.nextReqSeq(), other.mid, String(ids[0]), 0);
        const [range] = await talk(viewer).getMessageReadRange([other.mid]);
        const [own_range] = range?.ranges[viewer.mid] ?? [];
        assert.deepEqual([own_range?.startMessageId, own_range?.endMessageId], [ids.at(-1), ids[0]]);
      }
    });
  });
}

test('withheld messages are not among those of which unread ones are counted', async () => {
  const server = await startServer();
  try {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const { TalkService, nextReqSeq } = bob.client;
    await alice.client.sendText(bob.mid, 'before');
    await TalkService.blockContact(nextReqSeq(), alice.mid);
    await Promise.all(
      Array.from({ length: limits.unreadCounted.value }, () => alice.client.sendText(bob.mid, 'withheld')),
    );
    await TalkService.unblockContact(nextReqSeq(), alice.mid);
    await alice.client.sendText(bob.mid, 'after');
    const { messageBoxes } = await TalkService.getMessageBoxes({ withUnreadCount: true });
    assert.equal(messageBoxes[0]?.unreadCount, '2');
  } finally {
    await server.close();
  }
});

describe('an upgrade finds the runs that an older server stored', () => {
  const older = 29;
  const [nobody, first, second] = [null, 1, 2];
  const chats = [
    [first, first, nobody, first, first, second, second, first, nobody, nobody, second],
    [nobody, nobody],
    [nobody, second, second],
  ];
  const rows = chats.flatMap((messages, chat) =>
    messages.map((only_for, n) => ({ chat_id: chat + 1, id: 10 * n + chat + 1, sender_id: 1, only_for })),
  );
  const INSERT = rows
    .map(
      ({
        chat_id,
        id,
        only_for,
      }) => `insert into message (chat_id, id, sender_id, content_type, created_time, only_for, body)
      values (${chat_id}, ${id}, 1, 0, 0, ${only_for}, '')`,
    )
    .join(';');
  const SELECT = 'select withheld_after from message order by chat_id, id';
  const expected = chats.flatMap((_, chat) => expectedRuns(rows.filter(({ chat_id }) => chat_id === chat + 1)));

  test('on sqlite', () => {
    const database = new DatabaseSync(':memory:');
    createSqliteTables(database, older);
    database.exec(INSERT);
    createSqliteTables(database, older + 1);
    assert.deepEqual(
      database
        .prepare(SELECT)
        .all()
        .map(({ withheld_after }) => withheld_after),
      expected,
    );
    database.close();
  });

  test('on postgres', { skip: !databases.includes('postgres') && 'needs PostgreSQL' }, async () => {
    const own = await createDatabase();
    const client = new pg.Client(own.url);
    await client.connect();
    await createPostgresTables(client, older);
    await client.query(INSERT);
    await createPostgresTables(client, older + 1);
    const { rows: found } = await client.query<{ withheld_after: string | null }>(SELECT);
    assert.deepEqual(
      found.map(({ withheld_after }) => (withheld_after === null ? null : Number(withheld_after))),
      expected,
    );
    await client.end();
    await own.drop();
  });
});
