// A program with an outbox is killed again and again: what was queued arrives, once, and in the order of its chat.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { seed } from '@sealpost/dev-env/chance';
import { databases, startServer, type TestServer } from '@sealpost/dev-env/harness';
import { repeats } from '@sealpost/dev-env/repeats';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { createClient, memoryStore } from '@sealpost/sdk';
import { folderStore } from '@sealpost/sdk/node';
import { assertNumbered } from './numbered.ts';

/** How often the program is killed. */
const KILLS = repeats(8);
/** The most lines that the program may write before it is killed. */
const LINES = 12;
const MESSAGES = 10_000;
const sender = new URL('./outbox-sender.ts', import.meta.url).pathname;

for (const database of databases) {
  describe(`an outbox on ${database}, killed ${KILLS} times`, () => {
    let server: TestServer;
    const folder = mkdtempSync(join(tmpdir(), 'sealpost-outbox-'));
    before(async () => {
      server = await startServer({ database });
    });
    after(async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    });

    /** Runs the program until it has written some lines, then kills it; or until it ends. Returns the last number. */
    async function run(first: number, most: number, chats: readonly string[], lines: number): Promise<number> {
      const args = [sender, server.url, folder, String(first), String(most), ...chats];
      const program = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const exit = once(program, 'exit');
      let last = first - 1;
      let seen = 0;
      for await (const line of createInterface(program.stdout)) {
        const [word, number] = line.split(' ');
        if (word === 'queued') last = Number(number);
        seen += 1;
        if (seen === lines) program.kill('SIGKILL');
      }
      const [code, signal] = await exit;
      assert.ok(code === 0 || signal === 'SIGKILL', `the program ended with ${code}`);
      return last;
    }

    test('loses nothing, doubles nothing and keeps the order', async () => {
      const random = createRandom(seed);
      const [ann, ben] = [await server.user('ann'), await server.user('ben')];
      const bensStore = memoryStore();
      await bensStore.session.save((await ben.session()).session);
      const bens = createClient({ url: server.url, store: bensStore });
      await bens.open();
      await folderStore(folder).session.save((await ann.session()).session);
      const { chat } = await ann.client.TalkService.createChat({
        reqSeq: 5,
        type: 1,
        name: '',
        targetUserMids: [ben.mid],
      });
      const chats = [ben.mid, chat.chatMid];
      let next = 0;
      for (let kill = 0; kill < KILLS; kill++) next = (await run(next, MESSAGES, chats, 1 + random.below(LINES))) + 1;
      await run(next, next, chats, Number.POSITIVE_INFINITY);
      await assertNumbered(bens, [ann.mid, chat.chatMid], next);
      await bens.close();
    });
  });
}
