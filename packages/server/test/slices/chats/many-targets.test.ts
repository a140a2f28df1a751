// Calls that act on many users: what they cost, and whom they tell.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatTypes, operationTypes } from '@sealpost/contract';
import { databases, startServer } from '@sealpost/dev-env/harness';
import { failsWith } from '@sealpost/dev-env/people';

/** One more than the new members of a room of whom others are told one by one. */
const MANY = 33;

test('a call counts as one write for each user that it names', async () => {
  const server = await startServer({ servers: 1, flags: { 'rate-write': '6+0.0001' } });
  const alice = await server.user('alice');
  const { TalkService } = alice.client;
  const users = await Promise.all(Array.from({ length: 5 }, () => server.user('bob')));
  const mids = users.map(({ mid }) => mid);
  const request = { reqSeq: 0, type: chatTypes.GROUP, name: 'Tea', targetUserMids: mids.slice(0, 3) };
  const { chatMid } = (await TalkService.createChat(request)).chat;

  // Three are left. A refused call takes nothing.
  const refused = failsWith('EXCESSIVE_ACCESS');
  for (let n = 0; n < 2; n += 1)
    await assert.rejects(TalkService.createChat({ ...request, targetUserMids: mids }), refused);
  await assert.rejects(TalkService.findAndAddContactsByMid(0, 0, mids), refused);
  await TalkService.inviteIntoChat({ reqSeq: 0, chatMid, targetUserMids: mids.slice(3) });
  const cancelled = mids.slice(0, 2);
  await assert.rejects(TalkService.cancelChatInvitation({ reqSeq: 0, chatMid, targetUserMids: cancelled }), refused);
  await TalkService.cancelChatInvitation({ reqSeq: 0, chatMid, targetUserMids: cancelled.slice(1) });
  await assert.rejects(TalkService.createChat({ ...request, targetUserMids: [] }), refused);
  await server.close();
});

test('a call with more users than writes at once is possible, and counts in full', async () => {
  const server = await startServer({ servers: 1, flags: { 'rate-write': '2+0.0001' } });
  const alice = await server.user('alice');
  const users = await Promise.all(Array.from({ length: 3 }, () => server.user('bob')));
  const mids = users.map(({ mid }) => mid);
  const { TalkService } = alice.client;
  const request = { reqSeq: 0, type: chatTypes.ROOM, targetUserMids: mids };
  await TalkService.createChat(request);
  await assert.rejects(TalkService.createChat(request), failsWith('EXCESSIVE_ACCESS'));
  await server.close();
});

for (const database of databases) {
  test(`many new members of a room are told to each member in one operation, on ${database}`, async () => {
    const server = await startServer({ database });
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => server.user(name)));
    assert.ok(alice && bob && carol);
    const { TalkService } = alice.client;
    const users = await Promise.all(Array.from({ length: MANY }, () => server.user('dave')));
    const many = users.map(({ mid }) => mid);
    const news = async (invite: (roomMid: string) => Promise<unknown>) => {
      const request = { reqSeq: 0, type: chatTypes.ROOM, targetUserMids: [bob.mid, carol.mid] };
      const { chatMid } = (await TalkService.createChat(request)).chat;
      const before = (await bob.log()).length;
      await invite(chatMid);
      const told = (await bob.log()).slice(before);
      return told.map(({ type, param1, param3 }) => [type, param1 === chatMid, param3]);
    };
    const one = [[operationTypes.NOTIFIED_INVITE_INTO_CHAT, true, many.join('\x1e')]];
    assert.deepEqual(await news((roomMid) => TalkService.inviteIntoRoom(0, roomMid, many)), one);
    assert.deepEqual(
      await news((chatMid) => TalkService.inviteIntoChat({ reqSeq: 0, chatMid, targetUserMids: many })),
      one,
    );
    const fewer = await news((roomMid) => TalkService.inviteIntoRoom(0, roomMid, many.slice(1)));
    assert.deepEqual(new Set(fewer.map(([type]) => type)), new Set([operationTypes.NOTIFIED_JOIN_CHAT]));
    assert.equal(fewer.length, MANY - 1);
    await server.close();
  });
}
