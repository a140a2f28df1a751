// What else a message can be: files with progress, voice notes, videos, places, contacts, stickers, emoji.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { importPack } from '@sealpost/dev-env/packs';
import { operator } from '@sealpost/dev-env/people';
import type { Locator } from 'playwright-core';
import { befriend, openChat, type Person, sizes, skip, world, write } from '../browsers.ts';
import { textFile, wav } from '../files.ts';

const MIB = 1024 * 1024;

const messages = ({ page }: Person): Locator => page.getByRole('log', { name: 'Messages' }).getByRole('article');
const sendButton = ({ page }: Person): Locator => page.getByRole('button', { name: 'Send', exact: true });

const writing = ({ page }: Person): Locator => page.getByRole('textbox', { name: 'Write a message' });

async function attach({ page }: Person, what: string): Promise<void> {
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: what }).click();
}

async function sendFile(person: Person, name: string, content: string | Buffer): Promise<void> {
  await person.page.getByLabel('Choose files').setInputFiles(textFile(name, content));
  await sendButton(person).click();
}

async function saved(person: Person, message: Locator): Promise<Buffer> {
  const waiting = person.page.waitForEvent('download');
  await message.getByRole('button', { name: /^Save/ }).click();
  return readFile(await (await waiting).path());
}

/** Records a video of a second in the browser, of one colour after another. */
const recordedVideo = ({ page }: Person): Promise<string> =>
  page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 160, height: 90 });
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8' });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.start();
    for (let frame = 0; frame < 15; frame++) {
      if (context) context.fillStyle = `hsl(${frame * 20} 60% 50%)`;
      context?.fillRect(0, 0, 160, 90);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });

describe('attachments', { skip }, () => {
  const place = world({ offline: true });
  let ann: Person;
  let ben: Person;
  const big = randomBytes(4 * MIB);

  test('a file arrives with its name and size, and is saved as it was', async () => {
    ann = await place.loggedIn('Ann', {
      permissions: ['geolocation', 'microphone'],
      geolocation: { latitude: 35.6586, longitude: 139.7454 },
    });
    ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await openChat(ben, ann.user.mid);
    await sendFile(ann, 'notes.txt', 'what we said');
    const message = messages(ben).filter({ hasText: 'notes.txt' });
    await message.getByText('12 byte').waitFor();
    assert.equal((await saved(ben, message)).toString(), 'what we said');
  });

  test('after a file was chosen, Enter sends it', async () => {
    const chooser = ann.page.waitForEvent('filechooser');
    await attach(ann, 'File');
    await (await chooser).setFiles(textFile('entered.txt', 'by Enter'));
    await writing(ann).and(ann.page.locator(':focus')).waitFor();
    await ann.page.keyboard.press('Enter');
    await messages(ben).filter({ hasText: 'entered.txt' }).waitFor();
  });

  test('on a phone a long name of a file keeps its ending in view', async () => {
    const name = 'Quarterly report of the harbour office, third version, with all appendices.pdf';
    await sendFile(ann, name, 'a report');
    const shown = messages(ben).filter({ hasText: name });
    await ben.page.setViewportSize(sizes.phone);
    await shown.waitFor();
    const [start, end] = [shown.locator('bdi > :first-child'), shown.locator('bdi > :last-child')];
    assert.equal(await end.textContent(), 'dices.pdf');
    assert.ok(await start.evaluate((part) => part.scrollWidth > part.clientWidth), 'the beginning is shortened');
    const frame = await shown.locator('strong').boundingBox();
    const ending = await end.boundingBox();
    assert.ok(frame && ending && ending.width > 0);
    assert.ok(ending.x + ending.width <= frame.x + frame.width + 1, 'the ending is inside of the bubble');
    await ben.page.setViewportSize(sizes.desktop);
  });

  test('a large file tells its progress, and can be called off', async () => {
    const stalled = place.network.stallAfter('requests', 2 * MIB);
    await sendFile(ann, 'big.bin', big);
    await stalled;
    const waiting = messages(ann).filter({ hasText: 'big.bin' });
    await waiting.getByRole('progressbar', { name: 'Upload' }).waitFor();
    const value = await waiting.getByRole('progressbar').evaluate((bar: HTMLProgressElement) => bar.position);
    assert.ok(value > 0 && value < 1, String(value));
    await waiting.getByRole('button', { name: 'Cancel' }).click();
    await waiting.waitFor({ state: 'detached' });
    place.network.flow();
    await write(ann, 'it is gone');
    await messages(ben).filter({ hasText: 'it is gone' }).waitFor();
    assert.equal(await messages(ben).filter({ hasText: 'big.bin' }).count(), 0);
  });

  test('an upload goes on after the connection was lost in the middle', async () => {
    const before = place.network.cuts;
    place.network.cutAfter('requests', 2 * MIB);
    await sendFile(ann, 'cut.bin', big);
    await messages(ann)
      .filter({ hasText: 'cut.bin' })
      .getByLabel(/^(Sent|Read)$/)
      .waitFor();
    assert.equal(place.network.cuts, before + 1);
    const message = messages(ben).filter({ hasText: 'cut.bin' });
    assert.ok(big.equals(await saved(ben, message)));
  });

  test('an upload that waits survives a reload', async () => {
    const stalled = place.network.stallAfter('requests', MIB);
    await sendFile(ann, 'reloaded.bin', big);
    await stalled;
    place.network.down(true);
    await ann.page.reload();
    await messages(ann)
      .filter({ hasText: 'reloaded.bin' })
      .getByText(/Waiting|Sending/)
      .waitFor();
    place.network.flow();
    place.network.down(false);
    await messages(ann)
      .filter({ hasText: 'reloaded.bin' })
      .getByLabel(/^(Sent|Read)$/)
      .waitFor();
    const message = messages(ben).filter({ hasText: 'reloaded.bin' });
    assert.ok(big.equals(await saved(ben, message)));
    assert.equal(await message.count(), 1);
  });

  test('a voice note is recorded, sent, and played', async () => {
    await attach(ann, 'Voice message');
    const recorder = ann.page.getByRole('region', { name: 'Voice message' });
    await recorder.getByRole('timer').getByText('0:01').waitFor();
    await recorder.getByRole('meter', { name: 'Loudness' }).waitFor();
    await recorder.getByRole('button', { name: 'Send the voice message' }).click();
    const note = messages(ben).filter({ has: ben.page.getByRole('slider') });
    await note.getByRole('button', { name: 'Play' }).click();
    await note.getByRole('button', { name: 'Pause' }).waitFor();
    await note.getByRole('button', { name: 'Play' }).waitFor();
    await messages(ann).getByRole('slider', { name: 'Position in the sound' }).waitFor();
  });

  test('a recording is thrown away with Escape, and a refused microphone is explained', async () => {
    await attach(ann, 'Voice message');
    await ann.page.getByRole('timer').waitFor();
    await ann.page.getByRole('button', { name: 'Do not send' }).and(ann.page.locator(':focus')).waitFor();
    await ann.page.keyboard.press('Escape');
    await writing(ann).and(ann.page.locator(':focus')).waitFor();
    await ben.page.evaluate(() => {
      const refused = new DOMException('no', 'NotAllowedError');
      navigator.mediaDevices.getUserMedia = () => Promise.reject(refused);
    });
    await attach(ben, 'Voice message');
    await ben.page.getByText('does not let this page use the microphone').waitFor();
    await ben.page.getByRole('button', { name: 'Do not send' }).click();
    assert.equal(await messages(ann).getByRole('slider').count(), 1);
  });

  test('a sound is played, sought in, and pauses the one that played before', async () => {
    for (const name of ['one.wav', 'two.wav']) {
      await ann.page.getByLabel('Choose files').setInputFiles(wav(name, 30));
      await sendButton(ann).click();
    }
    const sounds = messages(ben).filter({ has: ben.page.getByRole('slider') });
    await sounds.nth(2).waitFor();
    const [one, two] = [sounds.nth(1), sounds.nth(2)];
    await one.getByRole('button', { name: 'Play' }).click();
    await one.getByRole('button', { name: 'Pause' }).waitFor();
    await two.getByRole('button', { name: 'Play' }).click();
    await two.getByRole('button', { name: 'Pause' }).waitFor();
    await one.getByRole('button', { name: 'Play' }).waitFor();
    await two.getByRole('slider').fill('20');
    await two.getByText(/^0:2\d$/).waitFor();
    await two.getByRole('button', { name: 'Pause' }).click();
  });

  test('a video shows a picture of itself, and plays after a press', async () => {
    const buffer = Buffer.from(await recordedVideo(ann), 'base64');
    await ann.page
      .getByLabel('Choose pictures or videos')
      .setInputFiles({ name: 'v.webm', mimeType: 'video/webm', buffer });
    await ann.page.getByRole('img', { name: 'v.webm' }).waitFor();
    await sendButton(ann).click();
    await messages(ben)
      .getByRole('button', { name: /^Play the video/ })
      .click();
    const video = messages(ben).locator('video');
    await video.waitFor();
    await video.evaluate(
      (element: HTMLVideoElement) =>
        new Promise((resolve) => {
          if (element.currentTime > 0) resolve(true);
          element.addEventListener('timeupdate', resolve, { once: true });
        }),
    );
  });

  test('a place is asked for by a press, shown, and sent; the other side gets links and no map', async () => {
    await attach(ann, 'Place');
    const dialog = ann.page.getByRole('dialog', { name: 'Send a place' });
    assert.ok(await dialog.getByRole('button', { name: 'Send the place' }).isDisabled());
    await dialog.getByRole('button', { name: 'Find out where I am' }).click();
    await dialog.getByText('35.65860, 139.74540').waitFor();
    await dialog.getByLabel('Name of the place').fill('The tower');
    await dialog.getByRole('button', { name: 'Send the place' }).click();
    const card = messages(ben).filter({ hasText: 'The tower' });
    await card.getByText('35.65860, 139.74540').waitFor();
    const href = await card.getByRole('link', { name: 'Open a map on the web' }).getAttribute('href');
    assert.equal(href, 'https://www.openstreetmap.org/?mlat=35.65860&mlon=139.74540#map=16/35.65860/139.74540');
    assert.equal(await card.getByLabel('Sealed', { exact: true }).count(), 1);
    assert.equal(await card.locator('img, iframe').count(), 0);
  });

  test('the card of a contact is sent; the other side adds the person', async () => {
    const cleo = await place.server.user('Cleo');
    await ann.user.client.RelationService.addFriendByMid({ reqSeq: ann.user.client.nextReqSeq(), userMid: cleo.mid });
    await attach(ann, 'Contact');
    const dialog = ann.page.getByRole('dialog', { name: 'Send a contact' });
    await dialog.getByLabel('Search contacts').fill('cle');
    await dialog.getByRole('button', { name: 'Cleo' }).click();
    const card = messages(ben).filter({ hasText: 'Cleo' });
    await card.getByRole('button', { name: 'Add to the contacts' }).click();
    await card.getByRole('link', { name: 'Open the contact' }).click();
    await ben.page.getByRole('heading', { name: 'Cleo' }).first().waitFor();
    await openChat(ben, ann.user.mid);
  });

  test('a sticker is chosen by keyboard, sent, and among those used last', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Emoji and stickers' }).click();
    await page.getByRole('tab', { name: 'Wax the Seal' }).focus();
    await page.keyboard.press('Enter');
    const sticker = page.getByRole('tabpanel', { name: 'Wax the Seal' }).getByRole('button').first();
    const name = await sticker.getAttribute('aria-label');
    await sticker.focus();
    await page.keyboard.press('Enter');
    await messages(ben)
      .getByRole('img', { name: name ?? '' })
      .waitFor();
    await page.getByRole('button', { name: 'Emoji and stickers' }).click();
    await page.getByRole('tab', { name: 'Used last' }).click();
    await page
      .getByRole('tabpanel', { name: 'Used last' })
      .getByRole('button', { name: name ?? '' })
      .waitFor();
    await page.keyboard.press('Escape');
  });

  test('a press on the open lock of a sticker or a contact says what the server can see', async () => {
    const note = ben.page.getByRole('dialog', { name: 'Not sealed' });
    const lockOf = (message: Locator) => message.getByRole('button', { name: 'Not sealed: what this means' });
    const sticker = messages(ben).filter({ has: ben.page.locator('img[width="160"]') });
    await lockOf(sticker).click();
    await note.getByText('the server can see which sticker was sent').waitFor();
    await ben.page.keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
    await lockOf(sticker).and(ben.page.locator(':focus')).waitFor();
    await lockOf(messages(ben).filter({ hasText: 'Cleo' })).click();
    await note.getByText('the server can see whose card was sent').waitFor();
    await note.getByRole('button', { name: 'Close' }).click();
    await note.waitFor({ state: 'detached' });
    await ben.page.getByRole('button', { name: 'Sealed: what this means', exact: true }).click();
    await ben.page.getByRole('dialog').getByText('Stickers, contact cards and reactions are not sealed').waitFor();
    await ben.page.keyboard.press('Escape');
  });

  test('a pack that the operator gives to somebody is theirs alone, and others see its stickers', async () => {
    const { page } = ann;
    const { id } = await importPack(place.server, {
      name: 'Harbour',
      pictures: ['boat', 'gull'],
      texts: ['Boat', 'Gull'],
    });
    await operator(place.server).grantProduct({ product: id, account: ann.user.mid });
    await page.getByRole('button', { name: 'Emoji and stickers' }).click();
    await page.getByRole('tab', { name: 'Harbour' }).click();
    await page.getByRole('tabpanel', { name: 'Harbour' }).getByRole('button', { name: 'Gull' }).click();
    await messages(ben).getByRole('img', { name: 'Gull' }).waitFor();
    await ben.page.getByRole('button', { name: 'Emoji and stickers' }).click();
    await ben.page.getByRole('tab', { name: 'Wax the Seal' }).waitFor();
    assert.equal(await ben.page.getByRole('tab', { name: 'Harbour' }).count(), 0);
    await ben.page.keyboard.press('Escape');
  });

  test('an emoji is searched, and stands in the text where the cursor was', async () => {
    const { page } = ann;
    const field = page.getByRole('textbox', { name: 'Write a message' });
    await field.fill('tea  now');
    await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(4, 4));
    await page.getByRole('button', { name: 'Emoji and stickers' }).click();
    await page.getByLabel('Search emoji').fill('teacup');
    await page.getByRole('gridcell', { name: /teacup/i }).click();
    await page.keyboard.press('Escape');
    assert.equal(await field.inputValue(), 'tea 🍵 now');
    await field.press('Enter');
    await messages(ben).filter({ hasText: 'tea 🍵 now' }).waitFor();
  });

  test('an emoji of a pack in a text is shown as its picture, with its text for screen readers', async () => {
    const cleo = await place.server.user('Dora');
    await ben.user.client.RelationService.addFriendByMid({ reqSeq: ben.user.client.nextReqSeq(), userMid: cleo.mid });
    const resources = [
      { S: 5, E: 12, productId: 'sealpost-emoji', sticonId: '001', version: 1, resourceType: 'STATIC' },
    ];
    await cleo.client.send({
      to: ben.user.mid,
      text: 'look (emoji) here',
      contentMetadata: { STICON_OWNERSHIP: '["sealpost-emoji"]', REPLACE: JSON.stringify({ sticon: { resources } }) },
    });
    await openChat(ben, cleo.mid);
    await messages(ben).getByRole('img', { name: '(emoji)' }).waitFor();
  });
});
