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
