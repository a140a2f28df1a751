// The archive of an account in the browser: what is in the saved file, and what happens when it cannot be made.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, test } from 'node:test';
import { until } from '@sealpost/dev-env/until';
import { filesOfZip } from '@sealpost/dev-env/zip-files';
import { findings } from '../axe.ts';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';
import { png, textFile } from '../files.ts';

type Page = Person['page'];

const MIB = 1024 * 1024;

async function section(page: Page) {
  await page.evaluate(() => {
    location.hash = '#/settings/account';
  });
  return page.getByRole('region', { name: 'Export my data' });
}

const button = 'Export my data';

/** Returns the names of the files that only the site sees. */
const keptFiles = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names: string[] = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
    return names;
  });

/** Holds all downloads of media of a browser until it is called. */
async function heldMedia({ context }: Person): Promise<{ readonly asked: Promise<unknown>; release(): void }> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await context.route(/\/r\/[^?]*/, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    asked.resolve();
    await released.promise;
    // The call may have been cancelled meanwhile.
    await route.continue().catch(() => undefined);
  });
  return { asked: asked.promise, release: released.resolve };
}

describe('the archive of an account', { skip }, () => {
  const place = world();
  let ann: Person;
  const picture = png('hill.png', 64, 48);
  const large = Buffer.alloc(3 * MIB, 'large ');

  before(async () => {
    if (skip) return;
    ann = await place.loggedIn('Ann', { size: 'phone' });
    const ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openChat(ben, ann.user.mid);
    await write(ben, 'a secret for Ann');
    await openChat(ann, ben.user.mid);
    await messageWith(ann, 'a secret for Ann').getByLabel('Sealed', { exact: true }).waitFor();
    await write(ann, 'an answer of Ann');
    await messageWith(ben, 'an answer of Ann').waitFor();
    await ben.page.getByLabel('Choose pictures or videos').setInputFiles(picture);
    await ben.page.getByRole('list', { name: 'To be sent' }).getByRole('img').waitFor();
    await ben.page.getByRole('button', { name: 'Send', exact: true }).click();
    await ann.page.getByRole('button', { name: 'Open the picture hill.png' }).waitFor();
    await ben.page.getByLabel('Choose files').setInputFiles(textFile('large.bin', large));
    await ben.page.getByRole('button', { name: 'Send', exact: true }).click();
    await messageWith(ann, 'large.bin').waitFor();
  });

  test('is saved as a file that has the opened texts and the media', async () => {
    const { page, user } = ann;
    const area = await section(page);
    await area.getByRole('button', { name: button }).press('Enter');
    await area.getByText(/^The archive is complete: \d.*MB\.$/).waitFor();
    await area.getByText('4 messages').waitFor();
    await area.getByText('2 pictures and files').waitFor();
    assert.deepEqual(await findings(page, 'light'), []);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      area.getByRole('button', { name: 'Save the file' }).press('Enter'),
    ]);
    assert.match(download.suggestedFilename(), new RegExp(`^${user.userid}-\\d{4}-\\d\\d-\\d\\d\\.zip$`));
    assert.match(download.url(), /^blob:/);
    const files = await filesOfZip(await readFile(await download.path()));
    const account = JSON.parse(String(files.get('account.json')));
    assert.deepEqual([account.by, account.mid], ['account', user.mid]);
    assert.equal(account.chats.length, 1);
    const { messages } = JSON.parse(String(files.get(account.chats[0].files[0])));
    type Exported = { text?: string; sealing: { state: string }; media?: { path: string } };
    assert.deepEqual(
      messages.slice(0, 2).map(({ text, sealing }: Exported) => [text, sealing.state]),
      [
        ['a secret for Ann', 'opened'],
        ['an answer of Ann', 'opened'],
      ],
    );
    const [sentPicture, sentFile] = messages.slice(2).map(({ media }: Exported) => files.get(media?.path ?? ''));
    assert.ok(picture.buffer.equals(sentPicture));
    assert.ok(large.equals(sentFile));
    await area.getByRole('button', { name: 'Remove it from this browser' }).click();
    await area.getByRole('button', { name: button }).waitFor();
    assert.deepEqual(await keptFiles(page), []);
  });

  test('fits a phone, tells every tab how far it is, and is cancelled without a trace', async () => {
    const { page } = ann;
    const tab = await ann.tab();
    const media = await heldMedia(ann);
    const area = await section(page);
    const other = await section(tab);
    await area.getByRole('button', { name: button }).click();
    await media.asked;
    await other.getByText('0 of 1 chats').waitFor();
    await other.getByRole('progressbar', { name: /being made/ }).waitFor();
    assert.deepEqual(await keptFiles(page), ['account.zip']);
    assert.deepEqual(await findings(page, 'light'), []);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} pixels wider than the phone`);
    await area.getByRole('button', { name: 'Cancel' }).press('Enter');
    for (const shown of [area, other]) await shown.getByRole('button', { name: button }).waitFor();
    assert.deepEqual(await keptFiles(page), []);
    assert.equal(await area.getByRole('alert').count(), 0);
    await ann.context.unroute(/\/r\/[^?]*/);
    media.release();
    await tab.close();
  });

  test('is not made without room, and says what helps', async () => {
    const { page } = ann;
    const area = await section(page);
    const browser = await ann.context.newCDPSession(page);
    const room = (quotaSize?: number) =>
      browser.send('Storage.overrideQuotaForOrigin', {
        origin: new URL(place.network.url).origin,
        ...(quotaSize !== undefined && { quotaSize }),
      });
    await room(1);
    await area.getByRole('button', { name: button }).click();
    await area.getByRole('alert').getByText('This browser has no room for the archive.').waitFor();
    assert.deepEqual(await findings(page, 'light'), []);
    assert.deepEqual(await keptFiles(page), []);
    await room();
    await area.getByRole('button', { name: button }).click();
    await area.getByText(/^The archive is complete/).waitFor();
    assert.equal(await area.getByRole('alert').count(), 0);
  });

  test('an archive is gone after a reload, and after a logout', async () => {
    const { page } = ann;
    assert.deepEqual(await keptFiles(page), ['account.zip']);
    await page.reload();
    let area = await section(page);
    await area.getByRole('button', { name: button }).waitFor();
    assert.deepEqual(await keptFiles(page), []);
    await area.getByRole('button', { name: button }).click();
    await area.getByText(/^The archive is complete/).waitFor();
    await page.getByRole('region', { name: 'Log out' }).getByRole('button').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Log out/ })
      .click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    assert.deepEqual(await keptFiles(page), []);
    await ann.logIn();
    area = await section(page);
    await area.getByRole('button', { name: button }).waitFor();
  });

  test('an archive is gone when the session is ended elsewhere, so that nobody else gets it', async () => {
    const { page, user } = ann;
    let area = await section(page);
    await area.getByRole('button', { name: button }).click();
    await area.getByText(/^The archive is complete/).waitFor();
    for (const session of await user.client.devices.sessions())
      if (!session.current) await user.client.devices.revoke(session.loginSessionId);
    await page.getByLabel('Password').waitFor();
    await until(async () => (await keptFiles(page)).length === 0, 'the archive is removed');
    await page.evaluate(() => {
      location.hash = '#/';
    });
    await ann.logIn();
    area = await section(page);
    await area.getByRole('button', { name: button }).waitFor();
  });

  test('without a server it says so, and nothing is left', async () => {
    const { page } = ann;
    const area = await section(page);
    place.network.down(true);
    await page.getByText('Not connected.').waitFor();
    await area.getByRole('button', { name: button }).click();
    await area.getByText('The archive waits for the connection, for half a minute.').waitFor();
    await area.getByRole('alert').getByText('The server could not be reached, so there is no archive.').waitFor();
    assert.deepEqual(await keptFiles(page), []);
    place.network.down(false);
    await area.getByRole('button', { name: button }).click();
    await area.getByRole('button', { name: 'Remove it from this browser' }).click();
  });

  test('the tab that makes it is closed, and another tab says what to do', async () => {
    const tab = await ann.tab();
    const area = await section(tab);
    place.network.down(true);
    await area.getByRole('button', { name: button }).click();
    await area.getByText('The archive waits for the connection, for half a minute.').waitFor();
    await ann.page.close();
    await tab.getByText('The tab that made the archive was closed. Begin again.').waitFor();
    place.network.down(false);
    await area.getByRole('button', { name: button }).click();
    await area.getByText(/^The archive is complete/).waitFor();
  });
});
