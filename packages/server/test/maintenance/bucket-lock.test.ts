// The marks that keep two backups out of one bucket. The store of the marks is a folder here, so that they can be made old.
import assert from 'node:assert/strict';
import { globSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Timers } from '@sealpost/contract/ports';
import { lockBucket } from '../../src/maintenance/backup/bucket-lock.ts';
import { systemPorts } from '../../src/platform/kernel/system.ts';
import { openDisk } from '../../src/platform/objects/disk.ts';
import { temporary } from './world.ts';

async function placeIn(t: TestContext) {
  const folder = temporary(t);
  const marks = openDisk(folder);
  await marks.claim('test');
  const [renewals, cancelled]: [(() => void)[], { count: number }] = [[], { count: 0 }];
  const timers: Timers = {
    after: () => assert.fail('a lock waits for nothing'),
    every(_ms, run) {
      renewals.push(run);
      return {
        cancel() {
          cancelled.count += 1;
        },
      };
    },
  };
  const files = () => globSync(join(folder, 'published/*/*'));
  return {
    ...{ cancelled, files },
    lock: () => lockBucket(marks, 's3://backups', { random: systemPorts.random, timers }),
    renew: (n: number) => renewals[n]?.(),
    /** Makes all marks older. */
    age(seconds: number) {
      const time = new Date(Date.now() - seconds * 1000);
      for (const file of files()) utimesSync(file, time, time);
    },
  };
}

const running = /^another backup into s3:\/\/backups is running, or was killed less than 2 minutes ago\. Wait, then/;

test('a second backup is refused while the first one runs, and the first one goes on', async (t) => {
  const { lock, files, cancelled } = await placeIn(t);
  const first = await lock();
  await assert.rejects(lock(), { message: running });
  await first.check();
  assert.equal(files().length, 1);
  await first.close();
  assert.deepEqual([files().length, cancelled.count], [0, 1]);
  await (await lock()).close();
});

test('of two backups that begin together, at most one runs', async (t) => {
  const { lock } = await placeIn(t);
  const begun = await Promise.allSettled([lock(), lock()]);
  assert.ok(begun.filter(({ status }) => status === 'fulfilled').length <= 1);
});

test('a backup that was killed stops no other one after two minutes', async (t) => {
  const { lock, age, files } = await placeIn(t);
  await lock();
  age(110);
  await assert.rejects(lock(), { message: running });
  age(130);
  await (await lock()).check();
  assert.equal(files().length, 1);
});

test('a mark is renewed, and a backup that renews it is not taken for dead', async (t) => {
  const { lock, age, renew, files } = await placeIn(t);
  const first = await lock();
  age(130);
  const [file = ''] = files();
  const { mtimeMs: old } = statSync(file);
  renew(0);
  while (statSync(file).mtimeMs === old) await setTimeout(5);
  await assert.rejects(lock(), { message: running });
  await first.close();
});

test('a backup that stood still learns that another one has begun, and does not disturb it', async (t) => {
  const { lock, age, renew, files } = await placeIn(t);
  const first = await lock();
  age(130);
  const second = await lock();
  renew(0);
  await assert.rejects(first.check(), /^Error: this backup into s3:\/\/backups stood still for more than 2 minutes/);
  await first.close();
  assert.equal(files().length, 1, 'the mark of the first one came back');
  await second.check();
  await second.close();
});
