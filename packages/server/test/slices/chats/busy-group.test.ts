// Changes of the members of a group in which others are busy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, startServer } from '@sealpost/dev-env/harness';

const BUSY = 6;

for (const database of databases) {
  test(`a member leaves a group while the others react without a pause, on ${database}`, async () => {
    const server = await startServer({ database });
    let reqSeq = 10;
    try {
      const [owner, leaver] = [await server.user('owner'), await server.user('leaver')];
      const busy = await Promise.all(Array.from({ length: BUSY }, (_, n) => server.user(`busy${n}`)));
      const { chatMid } = (
        await owner.client.TalkService.createChat({
          ...{ reqSeq: ++reqSeq, type: 0, name: 'tea' },
          targetUserMids: [...busy, leaver].map(({ mid }) => mid),
        })
      ).chat;
      for (const { client } of [...busy, leaver]) {
        await client.TalkService.acceptChatInvitation({ reqSeq: ++reqSeq, chatMid });
      }
      const { id: messageId } = await owner.client.TalkService.sendMessage(++reqSeq, { to: chatMid, text: 'hi' });
      const begun = Promise.withResolvers<void>();
      let going = true;
      let reactions = 0;
      const loops = busy.map(async ({ client }, n) => {
        while (going) {
          const predefinedReactionType = (2 + ((reactions + n) % 5)) as 2;
          await client.TalkService.react({ reqSeq: ++reqSeq, messageId, reactionType: { predefinedReactionType } });
          reactions += 1;
          if (reactions === BUSY) begun.resolve();
        }
      });
      await begun.promise;
      // A change that waited for a pause would be refused in the end.
      const left = leaver.client.TalkService.deleteSelfFromChat({ reqSeq: ++reqSeq, chatMid }).finally(() => {
        going = false;
      });
      assert.deepEqual(await left, {});
      await Promise.all(loops);
    } finally {
      await server.close();
    }
  });
}
