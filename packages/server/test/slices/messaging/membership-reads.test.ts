// Reads of a group ask for its members once, and for the caller's own membership if that is enough.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chatTypes } from '@sealpost/contract';
import { countedStatements } from '@sealpost/dev-env/counted-statements';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';

const OTHERS = 6;
const MESSAGES = 5;

describe('memberships', () => {
  let server: TestServer;
  let alice: TestUser;
  let chatMid: string;
  const sent: string[] = [];
  before(async () => {
    server = await startServer();
    alice = await server.user('alice');
    const others: TestUser[] = [];
    for (let n = 0; n < OTHERS; n++) others.push(await server.user(`other ${n}`));
    const targetUserMids = others.map(({ mid }) => mid);
    const request = { type: chatTypes.ROOM, name: 'Tea', targetUserMids };
    const { chat } = await alice.client.TalkService.createChat({ reqSeq: alice.client.nextReqSeq(), ...request });
    ({ chatMid } = chat);
    for (let n = 0; n < MESSAGES; n++) sent.push((await alice.client.sendText(chatMid, 'hello')).id);
    for (const { client } of [alice, ...others])
      await client.TalkService.sendChatChecked(client.nextReqSeq(), chatMid, String(sent.at(-1)), 0);
  });
  after(() => server.close());

  /** Returns the number of rows of each statement that reads memberships, without those of the chats themselves. */
  const membershipsOf = async (work: () => Promise<unknown>): Promise<number[]> =>
    (await countedStatements(work))
      .filter(({ sql }) => /chat_member|past_membership|message_box|account where id/.test(sql))
      .filter(({ sql }) => !/message_location/.test(sql))
      .map(({ rows }) => rows);

  test('of messages by id are read once for a chat, and only the own one', async () => {
    const read = await membershipsOf(async () => {
      const found = await alice.client.TalkService.getMessagesByIds(sent);
      assert.deepEqual(
        found.map(({ id }) => id),
        sent,
      );
    });
    assert.deepEqual(read, [1]);
  });

  test('of read ranges are read once for a chat, and so are its read marks', async () => {
    const read = await membershipsOf(async () => {
      const [range] = await alice.client.TalkService.getMessageReadRange([chatMid, chatMid]);
      assert.equal(Object.keys(range?.ranges ?? {}).length, OTHERS + 1);
    });
    assert.deepEqual(
      read.toSorted((a, b) => a - b),
      [1, 1, OTHERS + 1, OTHERS + 1],
    );
  });
});
