// Message boxes that are read while messages arrive.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';

const MESSAGES = 200;

for (const database of databases) {
  describe(`boxes while others send, on ${database}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startServer({ database });
    });
    after(() => server.close());

    test('the unread count is that of the newest message in the same answer', async () => {
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      let sending = true;
      const sent = (async () => {
        for (let number = 1; number <= MESSAGES; number++) await ben.client.sendText(ann.mid, String(number));
      })().finally(() => {
        sending = false;
      });
      const counts: { newest: string | undefined; unread: string | undefined }[] = [];
      const look = async (): Promise<void> => {
        const { messageBoxesByIds } = await ann.client.TalkService.getMessageBoxesByIds({
          messageBoxIds: [ben.mid],
          withUnreadCount: true,
          lastMessagesCount: 1,
        });
        const box = messageBoxesByIds[ben.mid];
        if (box) counts.push({ newest: box.lastMessages?.[0]?.text, unread: box.unreadCount });
      };
      while (sending) await Promise.all([look(), look(), look()]);
      await sent;
      await look();
      assert.equal(counts.at(-1)?.unread, String(MESSAGES));
      assert.deepEqual(
        counts.filter(({ newest, unread }) => newest !== unread),
        [],
      );
    });
  });
}
