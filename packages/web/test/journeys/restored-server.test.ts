// The page of somebody who saw keys that are newer than the backup from which the server was restored.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { startServer } from '@sealpost/dev-env/harness';
import { befriend, messageWith, openChat, type Person, skip, worldOn, write } from '../browsers.ts';

/** Returns a port that is free. The page must find the server at the same address after a restart. */
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });

describe('a server that was restored from a backup', { skip }, () => {
  const place = worldOn(async () => startServer({ flags: { port: String(await freePort()) } }));
  let ann: Person;
  let copy = '';
  before(async () => {
    if (skip) return;
    copy = mkdtempSync(join(tmpdir(), 'sealpost-restored-'));
    ann = await place.loggedIn('Ann');
    const { server } = place;
    await server.restart(() => cpSync(server.dataDir, copy, { recursive: true }));
    // Ann sees the record of keys with those of two people who are not in the backup.
    for (const name of ['Ben', 'Cem']) {
      const person = await place.loggedIn(name);
      await befriend(ann, person);
      await openChat(ann, person.user.mid);
      await write(ann, `for ${name}`);
      await messageWith(ann, `for ${name}`).getByLabel('Sealed', { exact: true }).waitFor();
    }
    await server.restart(async () => {
      rmSync(server.dataDir, { recursive: true });
      cpSync(copy, server.dataDir, { recursive: true });
      const { code, err } = await run({}, ['resync', '--data-dir', server.dataDir]);
      assert.equal(code, 0, err);
    });
  });
  after(() => {
    if (copy) rmSync(copy, { recursive: true, force: true });
  });

  test('messages to new people stay here until the person accepts the new record of keys', async () => {
    const dee = await place.loggedIn('Dee');
    await befriend(ann, dee);
    await openChat(ann, dee.user.mid);
    await write(ann, 'hello Dee');
    const { page } = ann;
    const failed = page.getByRole('log').getByRole('status');
    await failed.getByText(/public record of keys/).waitFor();
    await page
      .getByRole('region', { name: 'Chats' })
      .getByRole('link', { name: /Dee.*A message was not sent/ })
      .waitFor();
    const accept = page.getByRole('log').getByRole('button', { name: 'Accept the new record' });
    await accept.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/ask the operator, in another way than here/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await accept.count(), 1, 'nothing was accepted');
    await accept.click();
    await dialog.getByRole('button', { name: 'Accept the new record' }).click();
    await page.getByText('The new record of keys is accepted.').waitFor();
    await page.getByRole('region', { name: 'Warning' }).waitFor({ state: 'detached' });
    await page.getByRole('log').getByRole('button', { name: 'Try again' }).click();
    await messageWith(ann, 'hello Dee').getByLabel('Sealed', { exact: true }).waitFor();
    await openChat(dee, ann.user.mid);
    await messageWith(dee, 'hello Dee').waitFor();
  });

  test('the warning stays in the settings', async () => {
    await ann.page.evaluate(() => {
      location.hash = '#/settings/security';
    });
    const list = ann.page.getByRole('region', { name: 'Warnings about keys' });
    await list.getByText(/public record of keys/).waitFor();
    assert.equal(await list.getByRole('button').count(), 0, 'it was accepted already');
  });
});
