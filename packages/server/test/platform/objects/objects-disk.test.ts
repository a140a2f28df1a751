import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDisk } from '../../../src/platform/objects/disk.ts';
import type { Objects } from '../../../src/platform/objects/objects.ts';
import { objectsConformance } from './objects-conformance/suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-objects-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns a store that belongs to a server, as after the start of that server. */
async function claimed(root: string): Promise<Objects> {
  const objects = openDisk(root);
  await objects.claim('test');
  return objects;
}

objectsConformance('disk', () => claimed(join(folder, 'suite')));

const key = '0123456789abcdef0123456789abcdef';
const bytes = (text: string) => [[Buffer.from(text)]];

test('only the user of the server can read the files', async () => {
  const root = join(folder, 'modes');
  const objects = await claimed(root);
  await objects.append(key, 0, bytes('secret'));
  await objects.publish(key);
  assert.equal(statSync(root).mode & 0o777, 0o700);
  assert.equal(statSync(join(root, 'published', '01', key)).mode & 0o777, 0o600);
});

test('a link inside of the folder is not followed', async () => {
  const root = join(folder, 'links');
  const objects = await claimed(root);
  const outside = join(folder, 'outside');
  writeFileSync(outside, 'untouched');
  mkdirSync(join(root, 'unpublished'));
  symlinkSync(outside, join(root, 'unpublished', key));
  mkdirSync(join(root, 'published', '01'), { recursive: true });
  symlinkSync(outside, join(root, 'published', '01', key));
  await assert.rejects(objects.append(key, 0, bytes('x')), { code: 'ELOOP' });
  await assert.rejects(objects.read(key), { code: 'ELOOP' });
  assert.equal(statSync(outside).size, 9);
});

test('names that are no objects are not listed, and an object that is gone ends no list', async () => {
  const root = join(folder, 'strange');
  const objects = await claimed(root);
  const keys = ['01', '02', '03'].map((beginning) => beginning.padEnd(32, 'a'));
  for (const each of keys) {
    await objects.append(each, 0, bytes('x'));
    await objects.publish(each);
  }
  writeFileSync(join(root, 'published', '.DS_Store'), '');
  writeFileSync(join(root, 'published', '02', 'notes.txt'), '');
  mkdirSync(join(root, 'published', 'lost+found'));
  // A name without a file looks like an object that was removed after the folder was listed.
  symlinkSync(join(root, 'nowhere'), join(root, 'published', '01', '01'.padEnd(32, 'b')));
  const listed: string[] = [];
  for (let from = ''; ; ) {
    const page = await objects.page('published', from, 2);
    listed.push(...page.map((object) => object.key));
    if (page.length < 2) break;
    from = page.at(-1)?.key ?? '';
  }
  assert.deepEqual(listed, keys);
});
