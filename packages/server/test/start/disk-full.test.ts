import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '@sealpost/dev-env/harness';
import { sql } from '../../src/platform/store/sql.ts';

interface Refusal {
  readonly error?: string;
  readonly reason?: string;
  readonly message?: string;
}

function assertFull({ error, reason = '', message = '' }: Refusal): void {
  assert.equal(error, 'OVERLOADED');
  assert.match(reason, /^the disk of the server is full and nothing was stored; try again once/);
  assert.doesNotMatch(message, /busy|starting|stopping/);
}

const room = (pages: number) => sql<{ max_page_count: number }>(`pragma max_page_count = ${pages}`);

test('a full disk refuses sends as overloaded, keeps reading, and takes them again once there is room', async () => {
  const server = await startServer();
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const { store } = server.server;
  await alice.client.sendText(bob.mid, 'before');
  const setRoom = (pages: number) => store.transact((tx) => tx.one(room(pages)));
  await setRoom(1);
  const send = (reqSeq: number, text: string) => alice.client.TalkService.sendMessage(reqSeq, { to: bob.mid, text });
  let refused = 0;
  for (let reqSeq = 1000; reqSeq < 1400 && refused === 0; reqSeq++) {
    await send(reqSeq, 'x'.repeat(9000)).catch((error: Refusal) => {
      assertFull(error);
      refused = reqSeq;
    });
  }
  assert.ok(refused > 0);
  const stored = (await bob.client.TalkService.getRecentMessagesV2(alice.mid, 100)).length;
  await setRoom(1_000_000);
  const message = await send(refused, 'x'.repeat(9000));
  const [newest] = await bob.client.TalkService.getRecentMessagesV2(alice.mid, 1);
  assert.equal(newest?.id, message.id);
  assert.equal((await bob.client.TalkService.getRecentMessagesV2(alice.mid, 100)).length, Math.min(100, stored + 1));
  await server.close();
});

/** Mounts a small disk; returns undefined if this user may not mount one. */
function smallDisk(): { path: string; unmount(): void } | undefined {
  const path = mkdtempSync(join(tmpdir(), 'sealpost-disk-'));
  const remove = () => rmSync(path, { recursive: true, force: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'sealpost-test', path]).status !== 0) {
    remove();
    return undefined;
  }
  return {
    path,
    unmount() {
      spawnSync('umount', [path]);
      remove();
    },
  };
}

test('on a disk that is really full sends say so, readiness is 503, and both end with the fullness', async (t) => {
  const disk = smallDisk();
  if (!disk) {
    assert.equal(process.env.CI, undefined, 'in CI, this user must be able to mount a small disk');
    return t.skip('only root can mount a small disk');
  }
  const dataDir = join(disk.path, 'data');
  mkdirSync(dataDir);
  const server = await startServer({ dataDir, flags: { 'least-free-bytes': String(2 ** 20) } });
  try {
    const alice = await server.user('alice');
    const bob = await server.user('bob');
    const ready = async (status: number, disk: string) => {
      for (;;) {
        const answer = await fetch(`${server.url}/readyz`);
        const parts = (await answer.json()) as { disk: string };
        if (answer.status === status && parts.disk === disk) return;
      }
    };
    const send = (reqSeq: number) =>
      alice.client.TalkService.sendMessage(reqSeq, { to: bob.mid, text: 'x'.repeat(9000) });
    await send(1);
    // The first call with a token writes to the database that the token was used. So bob makes this call before the
    // disk is full.
    await bob.client.TalkService.getRecentMessagesV2(alice.mid, 1);
    await ready(200, 'ok');
    const filler = join(disk.path, 'filler');
    const fill = () => writeFileSync(filler, Buffer.alloc(2 ** 16), { flag: 'a' });
    assert.throws(() => {
      for (;;) fill();
    }, /ENOSPC/);
    await ready(503, 'less disk is free than least-free-bytes');
    let refused = 0;
    for (let reqSeq = 1000; refused === 0; reqSeq++) {
      await send(reqSeq).catch((error: Refusal) => {
        assertFull(error);
        refused = reqSeq;
      });
    }
    const stored = (await bob.client.TalkService.getRecentMessagesV2(alice.mid, 100)).length;
    rmSync(filler);
    await ready(200, 'ok');
    const message = await send(refused);
    const found = await bob.client.TalkService.getRecentMessagesV2(alice.mid, 100);
    assert.deepEqual([found.length, found[0]?.id], [Math.min(100, stored + 1), message.id]);
  } finally {
    await server.close();
    disk.unmount();
  }
});
