// Files that commands write in one step: what they may replace, and two downloads of one message at the same time.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { OpenedMedia } from '@sealpost/sdk';
import { openSheet } from '../src/commands/registration/invite-sheet.ts';
import { requireFree, saveMedia } from '../src/media/save-media.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'replacing-'));

/** Returns media whose bytes come from a function, as a download gets them. */
const media = (bytes: OpenedMedia['bytes']): OpenedMedia => ({
  ...{ kind: 'file', name: 'a.bin', size: 10, sealed: false },
  bytes,
});

describe('a file in one step', () => {
  const refusals = {
    'a named pipe': { make: (path: string) => execFileSync('mkfifo', [path]), says: /pipe is not a file but a device/ },
    'a link': {
      make: (path: string) => symlinkSync('/dev/null', path),
      says: /pipe is a symbolic link: name the file/,
    },
  };
  for (const [what, { make, says }] of Object.entries(refusals)) {
    test(`never replaces ${what}, even with --force`, { skip: process.platform === 'win32' }, async () => {
      const path = join(folder(), 'pipe');
      make(path);
      const before = lstatSync(path).ino;
      await assert.rejects(requireFree(path, { force: true }), says);
      await assert.rejects(requireFree(path, { force: false }), says);
      assert.throws(() => openSheet(path, 'Invitations', []), says);
      assert.equal(lstatSync(path).ino, before);
    });
  }

  test('is not written over a folder, and --force is not proposed', async () => {
    await assert.rejects(requireFree(folder(), { force: false }), /is a folder: name a file in it\.$/);
  });
});

describe('two downloads of one message at the same time', () => {
  const options = { force: false, to: true, messageId: '7' };

  test('the second one goes on from the part as it was when it looked', async () => {
    const to = folder();
    const part = join(to, '.a.bin.7.part');
    writeFileSync(part, '0123');
    let seen = '';
    const second = media(async function* (before) {
      // The first download writes more before the second one has read the part.
      appendFileSync(part, '4567');
      for await (const piece of before?.stream() ?? []) seen += piece;
      yield Buffer.from('456789');
    });
    await saveMedia(second, join(to, 'a.bin'), options);
    assert.equal(seen, '0123');
    assert.equal(readFileSync(join(to, 'a.bin'), 'utf8'), '0123456789');
  });

  for (const force of [false, true]) {
    test(`the slower one tells why it failed${force ? ', also with --force' : ''}`, async () => {
      const to = folder();
      const path = join(to, 'a.bin');
      const slower = media(async function* () {
        yield Buffer.from('0123456789');
        renameSync(join(to, '.a.bin.7.part'), path);
      });
      await assert.rejects(saveMedia(slower, path, { ...options, force }), /Another command that saved .*a\.bin at/);
      assert.ok(existsSync(path));
    });
  }
});
