// Without a connection: the page opens with the last state, what is written waits in order, and is sent once.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

/** Puts a page of an older build into the browser, in a cache that was made before that of this build. */
const keepOlderPage = ({ page }: Person) =>
  page.evaluate(async () => {
    const name = (await caches.keys()).find((key) => key.startsWith('sealpost-shell-')) ?? '';
    const shell = await caches.open(name);
    const files = await Promise.all((await shell.keys()).map(async (file) => [file, await shell.match(file)] as const));
    await caches.delete(name);
    const older = new Response('an older page', { headers: { 'content-type': 'text/html' } });
    await (await caches.open('sealpost-shell-older')).put('/', older);
    const again = await caches.open(name);
    for (const [file, answer] of files) if (answer) await again.put(file, answer);
  });

/** Waits until the page can be opened without a connection. */
const installed = ({ page }: Person) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });

describe('without a connection', { skip }, () => {
  const place = world({ offline: true });
  let ann: Person;
  let ben: Person;

  test('the page opens with the chats and messages that it had', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await write(ann, 'before the cut');
    await messageWith(ann, 'before the cut').getByLabel('Sent', { exact: true }).waitFor();
    await installed(ann);
    await ann.page.reload();
    await messageWith(ann, 'before the cut').waitFor();
    await keepOlderPage(ann);
    place.network.down(true);
    await ann.page.reload();
    await messageWith(ann, 'before the cut').waitFor();
    await ann.page.getByText('Not connected.').waitFor();
  });

  test('the page opens although a proxy answers in place of the server', async () => {
    place.network.down('bad-gateway');
    await ann.page.reload();
    await messageWith(ann, 'before the cut').waitFor();
    await ann.page.getByText('Not connected.').waitFor();
    place.network.down(true);
  });

  test('what is written waits, survives a reload, and arrives once and in order', async () => {
    for (const text of ['first', 'second', 'third']) await write(ann, text);
    await messageWith(ann, 'third')
      .getByText(/Waiting|Sending/)
      .waitFor();
    await ann.page.reload();
    await messageWith(ann, 'third').waitFor();
    place.network.down(false);
    await messageWith(ann, 'third').getByLabel('Sent', { exact: true }).waitFor();
    await openChat(ben, ann.user.mid);
    await messageWith(ben, 'third').waitFor();
    const texts = await ben.page.getByRole('log').getByRole('article').locator('p').allInnerTexts();
    assert.deepEqual(texts, ['before the cut', 'first', 'second', 'third']);
  });

  test('the first message to a person is in the list of chats while it waits', async () => {
    const cem = await place.loggedIn('Cem');
    await installed(cem);
    await befriend(ann, cem);
    await ann.page.evaluate((mid) => {
      location.hash = `#/chats/${mid}`;
    }, cem.user.mid);
    await ann.page.getByRole('heading', { name: 'Cem' }).waitFor();
    place.network.down(true);
    await ann.page.getByText('Not connected.').waitFor();
    await write(ann, 'hello Cem');
    const list = ann.page.getByRole('region', { name: 'Chats' });
    await list.getByRole('link', { name: /Cem.*Waiting/ }).waitFor();
    await ann.page.reload();
    await list.getByRole('link', { name: /Cem.*Waiting/ }).waitFor();
    place.network.down(false);
    await list.getByRole('link', { name: /Cem.*hello Cem/ }).waitFor();
    assert.equal(await list.getByRole('link', { name: /Cem/ }).count(), 1);
    await openChat(ann, ben.user.mid);
  });

  test('a message that was unsent without a connection is gone at the others afterwards', async () => {
    await write(ann, 'said too much');
    await messageWith(ben, 'said too much').waitFor();
    place.network.down(true);
    await ann.page.getByText('Not connected.').waitFor();
    await messageWith(ann, 'said too much').hover();
    await messageWith(ann, 'said too much').getByRole('button', { name: 'More about this message' }).click();
    await ann.page.getByRole('menuitem', { name: 'Unsend' }).click();
    const notices = ann.page.getByRole('region', { name: 'Messages of the page' });
    await notices.getByRole('button', { name: 'Close' }).click();
    await notices.getByText('The others still see the message.').waitFor();
    await ann.page.reload();
    await messageWith(ann, 'before the cut').waitFor();
    assert.equal(await messageWith(ann, 'said too much').count(), 0);
    place.network.down(false);
    await messageWith(ben, 'said too much').waitFor({ state: 'detached' });
  });

  test('a message that waits can be taken back', async () => {
    place.network.down(true);
    await write(ann, 'never mind');
    await messageWith(ann, 'never mind').getByRole('button', { name: 'Cancel' }).click();
    await messageWith(ann, 'never mind').waitFor({ state: 'detached' });
    place.network.down(false);
    await write(ann, 'after it');
    await messageWith(ben, 'after it').waitFor();
    assert.equal(await messageWith(ben, 'never mind').count(), 0);
  });

  test('older messages that do not come: the reason is said, and they come with the connection', async () => {
    const dora = await place.person('Dora');
    const eli = await place.server.user('Eli');
    await befriend(dora, { user: eli });
    const { client } = eli;
    for (const text of ['long ago', 'lately'])
      await client.TalkService.sendMessage(client.nextReqSeq(), { to: dora.user.mid, contentType: 0, text });
    await dora.logIn();
    let way: 'refused' | 'lost' | 'open' = 'refused';
    await dora.context.route(/\/get(Recent|Previous)Messages\w+$/, (route) => {
      if (way === 'refused') return route.fulfill({ status: 500, body: 'broken' });
      return way === 'lost' ? route.abort() : route.continue();
    });
    await openChat(dora, eli.mid);
    await messageWith(dora, 'lately').waitFor();
    const said = dora.page.getByRole('status').filter({ hasText: 'Older messages' });
    await said.getByText('Older messages could not be loaded.').waitFor();
    assert.doesNotMatch(await said.innerText(), /without a connection/);

    way = 'lost';
    await said.getByRole('button', { name: 'Try again' }).click();
    await said.getByText('Older messages are not here without a connection.').waitFor();
    place.network.down(true);
    await dora.page.getByText('Not connected.').waitFor();
    way = 'open';
    place.network.down(false);
    await messageWith(dora, 'long ago').waitFor();
    await said.waitFor({ state: 'detached' });
  });
});
