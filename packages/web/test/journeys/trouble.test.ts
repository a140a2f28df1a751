// Trouble that is not the network's: a server that dies, a browser without room, a clock that is wrong.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startServer as startProcess } from '@sealpost/dev-env/server-process';
import { createRpcClient } from '@sealpost/sdk';
import { befriend, messageWith, openChat, type Person, type Served, skip, world, worldOn, write } from '../browsers.ts';
import { textFile } from '../files.ts';

const MIB = 1024 * 1024;

const textsIn = ({ page }: Person): Promise<string[]> =>
  page.getByRole('log', { name: 'Messages' }).getByRole('article').locator('p').allInnerTexts();

const field = ({ page }: Person) => page.getByRole('textbox', { name: 'Write a message' });

/** A server in a process of its own, which can be killed. */
async function mortalServer() {
  const server = await startProcess();
  const { kill, start } = server;
  let people = 0;
  return {
    url: server.url,
    kill,
    start,
    async user(name: string) {
      people += 1;
      const { mid, userid, password } = await server.createAccount(`${name.toLowerCase()}-${people}`, name);
      const client = createRpcClient({ url: server.url });
      await client.login({ identifier: userid, password });
      return { client, mid, userid, password };
    },
    close: () => server.dispose(),
  } satisfies Served & Pick<typeof server, 'kill' | 'start'>;
}

describe('a server that is killed', { skip }, () => {
  const place = worldOn(mortalServer, { offline: true });

  test('in the middle of a send loses nothing and doubles nothing', async () => {
    const ann = await place.loggedIn('Ann');
    const ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openChat(ben, ann.user.mid);
    await openChat(ann, ben.user.mid);
    await write(ann, 'before');
    await messageWith(ben, 'before').waitFor();
    // The server takes the next message, and its answer does not come back.
    const stalled = place.network.stallAfter('answers', 0);
    const texts = ['one', 'two', 'three', 'four', 'five'];
    for (const text of texts) await write(ann, text);
    await stalled;
    await place.server.kill();
    place.network.flow();
    await ann.page.getByText('Not connected.').waitFor();
    await write(ann, 'while it is dead');
    await place.server.start();
    await messageWith(ann, 'while it is dead').getByLabel('Sent', { exact: true }).waitFor({ timeout: 60_000 });
    await messageWith(ben, 'while it is dead').waitFor({ timeout: 60_000 });
    const all = ['before', ...texts, 'while it is dead'];
    assert.deepEqual(await textsIn(ben), all);
    assert.deepEqual(await textsIn(ann), all);
  });
});

describe('a browser without room', { skip }, () => {
  const place = world({ offline: true });

  test('says so in words, keeps what one writes in the field, and goes on when there is room', async () => {
    const ann = await place.person('Ann');
    const browser = await ann.context.newCDPSession(ann.page);
    const room = (quotaSize?: number) =>
      browser.send('Storage.overrideQuotaForOrigin', {
        origin: new URL(place.network.url).origin,
        ...(quotaSize !== undefined && { quotaSize }),
      });
    // The browser asks for the room only when it has used up what it was told last.
    await room(10 * MIB);
    await ann.logIn();
    const ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await openChat(ben, ann.user.mid);
    await write(ann, 'there is room');
    await messageWith(ben, 'there is room').waitFor();
    await room(1);
    await ann.page.getByLabel('Choose files').setInputFiles(textFile('large.bin', Buffer.alloc(12 * MIB)));
    await ann.page.getByRole('button', { name: 'Send', exact: true }).click();
    await ann.page.getByText('this could not be kept. Make room, then try again.').waitFor();
    await ann.page.getByRole('button', { name: 'Remove large.bin' }).click();
    await write(ann, 'does not fit');
    const strip = ann.page.getByRole('region', { name: 'Full storage' });
    await strip.getByText('Delete files on this device').waitFor();
    await ann.page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor();
    assert.equal(await field(ann).inputValue(), 'does not fit');
    assert.equal(await messageWith(ann, 'does not fit').count(), 0);
    await write(ben, 'comes in meanwhile');
    await messageWith(ben, 'comes in meanwhile').getByLabel('Sent', { exact: true }).waitFor();
    await room();
    await field(ann).press('Enter');
    await messageWith(ben, 'does not fit').waitFor();
    await messageWith(ann, 'comes in meanwhile').waitFor({ timeout: 60_000 });
    await strip.waitFor({ state: 'detached' });
    assert.deepEqual((await textsIn(ann)).toSorted(), ['comes in meanwhile', 'does not fit', 'there is room']);
  });
});

describe('a device whose clock is wrong', { skip }, () => {
  let ahead = 3 * 3_600_000;
  const clock = { now: () => Date.now() - ahead, monotonic: () => performance.now() };
  const place = world({ ports: { clock } });

  test('says by how much and what helps, until the clocks agree', async () => {
    const ann = await place.loggedIn('Ann');
    const strip = ann.page.getByRole('region', { name: 'Wrong clock' });
    await strip.getByText('The clock of this device is 3 hours ahead of the server.').waitFor();
    await strip.getByText('Set date, time and time zone').waitFor();
    ahead = 0;
    place.network.down(true);
    await ann.page.getByText('Not connected.').waitFor();
    place.network.down(false);
    await strip.waitFor({ state: 'detached' });
  });
});
