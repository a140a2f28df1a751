// Calls of others that concern an account while it is being deleted.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import { createDatabase, databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { failsWith, operator } from '@sealpost/dev-env/people';
import pg from 'pg';

const idOf = (server: TestServer, user: TestUser) =>
  server.server.store.read(async (reader) => (await server.server.slices.accounts.idOf(reader, user.mid)) as number);

for (const database of databases) {
  describe(`deleted accounts on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    test('nobody can write to a deleted account, even after earlier messages', async () => {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      await alice.client.sendText(bob.mid, 'are you there?');
      await server.server.slices.accounts.remove(await idOf(server, bob));
      await assert.rejects(alice.client.sendText(bob.mid, 'and now?'), failsWith('NOT_FOUND'));
      const kept = await alice.client.TalkService.getRecentMessagesV2(bob.mid, 10);
      assert.deepEqual(
        kept.map((message) => message.text),
        ['are you there?'],
      );
    });

    test('nobody can invite or add a deleted account', async () => {
      const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
      const { TalkService, RelationService } = alice.client;
      const request = { reqSeq: 0, type: chatTypes.GROUP, name: 'tea', targetUserMids: [carol.mid] };
      const { chatMid } = (await TalkService.createChat(request)).chat;
      await server.server.slices.accounts.remove(await idOf(server, bob));
      const targetUserMids = [bob.mid];
      await assert.rejects(TalkService.createChat({ ...request, targetUserMids }), failsWith('NOT_FOUND'));
      await assert.rejects(TalkService.inviteIntoChat({ reqSeq: 0, chatMid, targetUserMids }), failsWith('NOT_FOUND'));
      await assert.rejects(TalkService.findAndAddContactsByMid(0, 0, [bob.mid]), failsWith('NOT_FOUND'));
      await assert.rejects(RelationService.addFriendByMid({ userMid: bob.mid }), failsWith('REJECTED_TARGET_USER'));
    });
  });
}

const skip = !process.env.SEALPOST_TEST_POSTGRES_URL && 'needs PostgreSQL';

describe('the deletion of an account at the same moment as', { skip, timeout: 30_000 }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let server: TestServer;
  let other: pg.Client;
  before(async () => {
    database = await createDatabase();
    server = await startServer({ flags: { 'database-url': database.url } });
    other = new pg.Client({ connectionString: database.url });
    await other.connect();
  });
  after(async () => {
    await other.end();
    await server.close();
    await database.drop();
  });

  /** Waits until statements whose text fits wait for locks. Subscribers of the logs do not count. */
  async function waiting(fits: (text: string) => boolean, least = 1): Promise<void> {
    for (;;) {
      // Within a transaction, PostgreSQL would return what it said first.
      await other.query('select pg_stat_clear_snapshot()');
      const { rows } = await other.query(
        `select a.query as text from pg_locks l join pg_stat_activity a using (pid)
         where not l.granted and a.datname = current_database() and a.query not like '%subscriber_cursor%'`,
      );
      if (rows.filter(({ text }) => fits(text)).length >= least) return;
    }
  }
  const isEnd = (text: string): boolean => text.startsWith('update profile ');

  /** Deletes an account, and holds the end of the deletion until `call` waits for it. */
  async function whileDeleted<T>(id: number, call: () => Promise<T>): Promise<T> {
    await other.query('begin');
    await other.query('select 1 from profile where account_id = $1 for update', [id]);
    const removing = server.server.slices.accounts.remove(id);
    await waiting(isEnd);
    const running = call();
    running.catch(() => {});
    await waiting((text) => !isEnd(text));
    await other.query('commit');
    await removing;
    return running;
  }

  /**
   * Holds the lock on an account's log until a call waits for the lock. Then makes the change and releases the lock.
   */
  async function meanwhile<T>(accountId: number, call: () => Promise<T>, change: () => Promise<unknown>) {
    await other.query('begin');
    await other.query('select 1 from operation_head where account_id = $1 for update', [accountId]);
    const running = call();
    running.catch(() => {});
    await waiting(() => true);
    await change();
    await other.query('commit');
    return running;
  }

  test('an invitation: the invitation goes too', async () => {
    const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
    const { TalkService } = alice.client;
    const request = { reqSeq: 0, type: chatTypes.GROUP, name: 'tea', targetUserMids: [carol.mid] };
    const { chatMid } = (await TalkService.createChat(request)).chat;
    const id = await idOf(server, bob);
    await meanwhile(
      id,
      () => server.server.slices.accounts.remove(id),
      () =>
        other.query(
          `insert into chat_member (chat_id, account_id, joined, since_time, since_message_id, inviter_id)
           select id, $1, 0, 0, 0, 0 from chat where mid = $2`,
          [id, chatMid],
        ),
    );
    const [chat] = (await TalkService.getChats({ chatMids: [chatMid], withInvitees: true })).chats;
    assert.deepEqual(chat?.extra?.groupExtra?.inviteeMids, [carol.mid]);
  });

  test('a new contact: its owner is told', async () => {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const [aliceId, bobId] = [await idOf(server, alice), await idOf(server, bob)];
    await meanwhile(
      bobId,
      () => operator(server).deleteAccount({ account: bob.mid }),
      () =>
        other.query(
          `insert into contact (owner_id, contact_id, added, added_time, added_by_time, type)
           values ($1, $2, 1, 1, 0, 0), ($2, $1, 0, 0, 1, 0)`,
          [aliceId, bobId],
        ),
    );
    assert.deepEqual(
      (await alice.log()).map(({ param1 }) => param1),
      [bob.mid],
    );
  });

  test('an invitation or a new contact that comes too late: both are refused', async () => {
    const [alice, bob, carol] = [await server.user('alice'), await server.user('bob'), await server.user('carol')];
    const { TalkService } = alice.client;
    const request = { reqSeq: 0, type: chatTypes.GROUP, name: 'tea', targetUserMids: [carol.mid] };
    const { chatMid } = (await TalkService.createChat(request)).chat;
    const id = await idOf(server, bob);
    const vanish = async () => {
      await other.query('update account set deleted = 1 where id = $1', [id]);
      await other.query('delete from operation_head where account_id = $1', [id]);
    };
    const comeBack = async () => {
      await other.query('update account set deleted = 0 where id = $1', [id]);
      await other.query('insert into operation_head values ($1, 0, 1, 0)', [id]);
    };
    const late = [
      () => TalkService.createChat({ ...request, targetUserMids: [bob.mid] }),
      () => TalkService.inviteIntoChat({ reqSeq: 0, chatMid, targetUserMids: [bob.mid] }),
      () => TalkService.findAndAddContactsByMid(0, 0, [bob.mid]),
    ];
    for (const call of late) {
      await assert.rejects(meanwhile<unknown>(id, call, vanish), failsWith('NOT_FOUND'));
      await comeBack();
    }
  });

  test('a first message: it is refused, and leaves no chat of the account', async () => {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    const id = await idOf(server, bob);
    const sent = whileDeleted(id, () => alice.client.sendText(bob.mid, 'are you there?'));
    await assert.rejects(sent, failsWith('NOT_FOUND'));
    const { rows } = await other.query('select 1 from message_box where account_id = $1', [id]);
    assert.deepEqual(rows, []);
  });

  test('a change of a chat by the account itself: it is refused', async () => {
    const calls = [
      ({ client }: TestUser, chatMid: string) => client.TalkService.sendChatChecked(client.nextReqSeq(), chatMid, '0'),
      ({ client }: TestUser, chatMid: string) => client.TalkService.sendChatRemoved(client.nextReqSeq(), chatMid, '0'),
      ({ client }: TestUser, chatMid: string) =>
        client.TalkService.setChatHiddenStatus({ reqSeq: client.nextReqSeq(), chatMid, hidden: true }),
    ];
    for (const call of calls) {
      const [alice, bob] = [await server.user('alice'), await server.user('bob')];
      await alice.client.sendText(bob.mid, 'are you there?');
      const id = await idOf(server, bob);
      await bob.client.TalkService.getProfile(); // From now on, the server knows the session without a look.
      const change = whileDeleted<unknown>(id, () => call(bob, alice.mid));
      await assert.rejects(change, failsWith('SESSION_LOGGED_OUT'));
    }
  });

  test('the deletion of the other one: their chat is gone', async () => {
    const [alice, bob] = [await server.user('alice'), await server.user('bob')];
    await alice.client.sendText(bob.mid, 'only between us');
    const ids = [await idOf(server, alice), await idOf(server, bob)];
    const { rows: chats } = await other.query('select chat_id from message_box where account_id = $1', ids.slice(0, 1));
    await other.query('begin');
    await other.query('select 1 from profile where account_id = any($1) for update', [ids]);
    const removing = ids.map((id) => server.server.slices.accounts.remove(id));
    await waiting(() => true, 2);
    await other.query('commit');
    await Promise.all(removing);
    const { rows } = await other.query('select body from message where chat_id = $1', [chats[0]?.chat_id]);
    assert.deepEqual(rows, []);
  });
});
