// A client that was closed, and arguments that no client accepts: errors at once, which say what is wrong.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import type { OutgoingMedia } from '@sealpost/sdk';
import { createBot } from '@sealpost/sdk/bot';
import { folderStore } from '@sealpost/sdk/node';
import { opened } from './opened.ts';

describe('a client that refuses', () => {
  let server: TestServer;
  let ann: TestUser;
  let folder: string;
  before(async () => {
    server = await startServer();
    ann = await server.user('ann');
    folder = mkdtempSync(join(tmpdir(), 'sealpost-closed-'));
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test('a closed client says so at each use, and is closed twice without an error', async () => {
    const client = await opened(server, ann, { store: await folderStore(folder) });
    await client.synced();
    await client.close();
    await client.close();
    const wasClosed = /the client was closed/;
    await assert.rejects(client.messaging.sendText(ann.mid, 'too late'), wasClosed);
    await assert.rejects(client.replica.keptMessages(ann.mid), wasClosed);
    await assert.rejects(client.chats.mids(), wasClosed);
    await assert.rejects(client.open(), wasClosed);
  });

  test('what is no text is not queued', async () => {
    const client = await opened(server, ann);
    const { messaging } = client;
    const none: never = undefined as never;
    await assert.rejects(messaging.sendText(ann.mid, 5 as never), /^TypeError: not texts: to u\w+, text 5$/);
    await assert.rejects(messaging.sendText(none, 'x'), /^TypeError: not texts: to undefined, text x$/);
    const media: OutgoingMedia = { kind: 'file', name: 'a', bytes: new Blob(['a']) };
    await assert.rejects(messaging.sendFile(none, media), TypeError);
    assert.deepEqual(client.outbox.all(), []);
  });

  test('a bot with fewer than one try', () => {
    for (const tries of [0, -1, Number.NaN]) {
      const options = { url: server.url, userid: 'ann', password: '', dataDir: folder, tries };
      assert.throws(() => createBot(options), new RangeError(`\`tries\` is ${tries}; it must be at least 1`));
    }
  });
});
