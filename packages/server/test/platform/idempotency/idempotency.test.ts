// A repeated call returns its first result and changes nothing. If anything in the call differs, the call is a new one.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { GatewayError, type RpcClient } from '@sealpost/sdk';

const KEY = 4711;

for (const database of databases) {
  describe(`repeated calls on ${database}`, () => {
    let server: TestServer;
    let alice: TestUser;
    let bob: TestUser;
    let message: string;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    const head = async (user: TestUser) => Number(await user.client.TalkService.getLastOpRevision());
    const group = async (reqSeq: number, client: RpcClient = alice.client) =>
      (await client.TalkService.createChat({ reqSeq, type: 0, name: 'Tea', targetUserMids: [bob.mid] })).chat.chatMid;
    /** Creates alice and bob, who wrote to each other, and returns them with a message of alice. */
    const newPair = async () => {
      alice = await server.user('alice');
      bob = await server.user('bob');
      await bob.client.sendText(alice.mid, 'hello');
      message = (await alice.client.sendText(bob.mid, 'hello')).id;
    };
    const reaction = { predefinedReactionType: 2 } as const;

    /** Every kind of change. The caller's other sessions get an operation for each. */
    const changes: Record<string, (chatMid: string) => Promise<unknown>> = {
      sendMessage: () => alice.client.TalkService.sendMessage(KEY, { to: bob.mid, text: 'again' }),
      unsendMessage: () => alice.client.TalkService.unsendMessage(KEY, message),
      sendChatChecked: () => alice.client.TalkService.sendChatChecked(KEY, bob.mid, String(Number.MAX_SAFE_INTEGER), 0),
      sendChatRemoved: () => alice.client.TalkService.sendChatRemoved(KEY, bob.mid, '0', 0),
      setChatHiddenStatus: () =>
        alice.client.TalkService.setChatHiddenStatus({ reqSeq: KEY, chatMid: bob.mid, hidden: true }),
      react: () => alice.client.TalkService.react({ reqSeq: KEY, messageId: message, reactionType: reaction }),
      createChat: () => group(KEY),
      inviteIntoChat: async (chatMid) => {
        const [guest] = guests;
        return alice.client.TalkService.inviteIntoChat({ reqSeq: KEY, chatMid, targetUserMids: [guest?.mid ?? ''] });
      },
      cancelChatInvitation: (chatMid) =>
        alice.client.TalkService.cancelChatInvitation({ reqSeq: KEY, chatMid, targetUserMids: [bob.mid] }),
      updateChat: (chatMid) =>
        alice.client.TalkService.updateChat({
          reqSeq: KEY,
          chat: { chatMid, chatName: 'Coffee' },
          updatedAttribute: 1,
        }),
      deleteSelfFromChat: (chatMid) => alice.client.TalkService.deleteSelfFromChat({ reqSeq: KEY, chatMid }),
      blockContact: () => alice.client.TalkService.blockContact(KEY, bob.mid),
    };
    let guests: TestUser[] = [];

    test('a send that is repeated after its message was unsent gets the message without its text', async () => {
      await newPair();
      const { TalkService } = alice.client;
      const send = () => TalkService.sendMessage(KEY, { to: bob.mid, text: 'take me back' });
      const { id } = await send();
      await TalkService.unsendMessage(KEY + 1, id);
      const before = await head(bob);
      const again = await send();
      assert.equal(again.id, id);
      assert.equal(again.text, undefined);
      assert.equal(await head(bob), before);
    });

    for (const [name, change] of Object.entries(changes)) {
      test(`${name}, repeated, answers the same and tells nobody again`, async () => {
        await newPair();
        guests = [await server.user('guest')];
        const chatMid = await group(KEY - 1);
        const [before, ...others] = [await head(alice), await head(bob)];
        const first = await change(chatMid);
        const [after, theirs] = [await head(alice), await head(bob)];
        assert.ok(after > before, 'the change itself is told');
        assert.deepEqual(await change(chatMid), first);
        assert.deepEqual([await head(alice), await head(bob)], [after, theirs]);
        assert.ok(theirs >= (others[0] ?? 0));
      });
    }

    test('the same reqSeq and content from another session is another call', async () => {
      await newPair();
      const other = await alice.session();
      const send = (client: RpcClient) => client.TalkService.sendMessage(KEY, { to: bob.mid, text: 'twice' });
      const [first, second] = [await send(alice.client), await send(other)];
      assert.notEqual(first.id, second.id);
      assert.equal((await send(alice.client)).id, first.id);
      assert.equal((await send(other)).id, second.id);
      const [mine, theirs] = [await group(KEY), await group(KEY, other)];
      assert.notEqual(mine, theirs);
      assert.deepEqual([await group(KEY), await group(KEY, other)], [mine, theirs]);
      other.close();
    });

    test('the same reqSeq and arguments to another method is another call', async () => {
      await newPair();
      const chatMid = await group(KEY);
      await bob.client.TalkService.acceptChatInvitation({ reqSeq: KEY, chatMid });
      await bob.client.TalkService.deleteSelfFromChat({ reqSeq: KEY, chatMid });
      const request = { chatMids: [chatMid], withMembers: true };
      const [chat] = (await alice.client.TalkService.getChats(request)).chats;
      assert.deepEqual(chat?.extra?.groupExtra?.memberMids, [alice.mid]);
      await bob.client.TalkService.blockContact(KEY, alice.mid);
      await bob.client.TalkService.unblockContact(KEY, alice.mid, '');
      assert.deepEqual(await bob.client.TalkService.getBlockedContactIds(), []);
    });

    test('the same reqSeq to the same method with other arguments is another call', async () => {
      await newPair();
      const { TalkService } = bob.client;
      await TalkService.setChatHiddenStatus({ reqSeq: KEY, chatMid: alice.mid, hidden: true });
      await TalkService.setChatHiddenStatus({ reqSeq: KEY, chatMid: alice.mid, hidden: false });
      assert.equal((await TalkService.getMessageBoxes({ activeOnly: true })).messageBoxes.length, 1);
    });

    test('another reqSeq with the same content is another call', async () => {
      await newPair();
      assert.notEqual(await group(KEY), await group(KEY + 1));
    });

    test('a reqSeq below 2 is never a repeat; 2 is', async () => {
      await newPair();
      for (const reqSeq of [0, 1]) assert.notEqual(await group(reqSeq), await group(reqSeq));
      assert.equal(await group(2), await group(2));
    });

    test('a call that was refused is not remembered: it passes once it may', async () => {
      await newPair();
      const chatMid = await group(KEY);
      const invited = () => bob.client.TalkService.acceptChatInvitation({ reqSeq: KEY, chatMid });
      const guest = await server.user('guest');
      const accept = () => guest.client.TalkService.acceptChatInvitation({ reqSeq: KEY, chatMid });
      await assert.rejects(accept(), (error) => error instanceof GatewayError && error.error === 'NOT_AN_INVITEE');
      await invited();
      await bob.client.TalkService.inviteIntoChat({ reqSeq: KEY, chatMid, targetUserMids: [guest.mid] });
      await accept();
    });

    test('of many repeats at the same moment one changes something, and all return the same', async () => {
      await newPair();
      const made = await Promise.all(Array.from({ length: 16 }, () => group(KEY)));
      assert.equal(new Set(made).size, 1);
    });
  });
}
