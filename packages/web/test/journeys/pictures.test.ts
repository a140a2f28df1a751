// Pictures and videos: sent, opened sealed and plain, the viewer, pasting, dropping, what is gone or hostile.
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { befriend, openChat, type Person, skip, world } from '../browsers.ts';
import { type GivenFile, png, textFile } from '../files.ts';

const messages = ({ page }: Person): Locator => page.getByRole('log', { name: 'Messages' }).getByRole('article');
const pictures = (person: Person): Locator => messages(person).getByRole('button', { name: /^Open the picture/ });
const sendButton = ({ page }: Person): Locator => page.getByRole('button', { name: 'Send', exact: true });
const tray = ({ page }: Person): Locator => page.getByRole('list', { name: 'To be sent' }).getByRole('listitem');

const choose = ({ page }: Person, files: GivenFile | GivenFile[]): Promise<void> =>
  page.getByLabel('Choose pictures or videos').setInputFiles(files);

/** Waits until a picture is shown, and returns its size in pixels. */
const shown = (picture: Locator): Promise<number[]> =>
  picture.locator('img').evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  });

/** Gives files to the page as a paste or a drop does. */
const give = (target: Locator, how: 'paste' | 'drop', { name, mimeType, buffer }: GivenFile): Promise<void> =>
  target.evaluate(
    (element, given) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(given.base64), (character) => character.charCodeAt(0));
      data.items.add(new File([bytes], given.name, { type: given.type }));
      const common = { bubbles: true, cancelable: true };
      if (given.how === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...common, clipboardData: data }));
      else {
        element.dispatchEvent(new DragEvent('dragover', { ...common, dataTransfer: data }));
        element.dispatchEvent(new DragEvent('drop', { ...common, dataTransfer: data }));
      }
    },
    { how, name, type: mimeType, base64: buffer.toString('base64') },
  );

/** The addresses of the content of messages. */
const OBJECTS = /\/r\/talk\//;

describe('pictures', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;

  test('a picture is sent sealed, without its metadata, and has its size before it is loaded', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben', { size: 'phone' });
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await choose(ann, png('wide.png', 640, 320, [190, 60, 60], 'taken at home'));
    await tray(ann).getByRole('img').waitFor();
    await sendButton(ann).click();
    await messages(ann).getByLabel('Sent', { exact: true }).waitFor();
    assert.deepEqual(await shown(pictures(ann)), [640, 320]);
    await openChat(ben, ann.user.mid);
    assert.deepEqual(await shown(pictures(ben)), [640, 320]);
    assert.equal(await messages(ben).getByLabel('Sealed', { exact: true }).count(), 1);
    const box = await pictures(ben).boundingBox();
    assert.ok(box && Math.abs(box.width / box.height - 2) < 0.05, JSON.stringify(box));
    await pictures(ben).click();
    const saved = ben.page.waitForEvent('download');
    await ben.page.getByRole('button', { name: 'Save the picture' }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), 'wide.png');
    const bytes = await readFile(await download.path());
    assert.ok(!bytes.includes('taken at home'));
    await ben.page.getByRole('button', { name: 'Close', exact: true }).click();
  });

  test('a plain picture is opened too, with the preview of the server', async () => {
    const cleo = await place.server.user('Cleo');
    await ann.user.client.RelationService.addFriendByMid({ reqSeq: ann.user.client.nextReqSeq(), userMid: cleo.mid });
    const { name, buffer } = png('plain.png', 500, 500, [60, 90, 190]);
    const bytes = new Blob([new Uint8Array(buffer)]);
    await cleo.client.media().send(ann.user.mid, { kind: 'image', name, bytes });
    await openChat(ann, cleo.mid);
    assert.deepEqual((await shown(pictures(ann)))[0], 500);
    assert.equal(await messages(ann).getByLabel('Not sealed').count(), 1);
  });

  test('a picture whose download was cancelled in the viewer is loaded by "Try again"', async () => {
    const { page, context } = ann;
    await context.route(OBJECTS, () => {});
    await page.reload();
    await pictures(ann).click();
    const viewer = page.getByRole('dialog', { name: 'Pictures of the chat' });
    await viewer.getByRole('progressbar', { name: 'Loading' }).waitFor();
    await viewer.getByRole('button', { name: 'Cancel' }).click();
    await viewer.getByRole('progressbar').waitFor({ state: 'detached' });
    await context.unroute(OBJECTS);
    await viewer.getByRole('button', { name: 'Try again' }).click();
    assert.deepEqual((await shown(viewer))[0], 500);
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
  });

  test('several files go together: one is taken away, the others arrive in order, with the text after them', async () => {
    await openChat(ann, ben.user.mid);
    await choose(ann, [png('a.png', 40, 20), png('b.png', 20, 40), png('c.png', 30, 30)]);
    await ann.page.getByRole('button', { name: 'Remove b.png' }).click();
    await ann.page.getByRole('textbox', { name: 'Write a message' }).fill('two of three');
    await sendButton(ann).click();
    await messages(ben).filter({ hasText: 'two of three' }).waitFor();
    assert.equal(await pictures(ben).count(), 3);
    assert.deepEqual(await shown(pictures(ben).nth(1)), [40, 20]);
    assert.deepEqual(await shown(pictures(ben).nth(2)), [30, 30]);
    assert.equal(await tray(ann).count(), 0);
  });

  test('the viewer works by keyboard: it opens, goes from picture to picture, closes, and gives the focus back', async () => {
    const { page } = ann;
    await pictures(ann).nth(2).focus();
    await page.keyboard.press('Enter');
    const current = (width: number): Promise<unknown> =>
      page.waitForFunction(
        (wanted) => document.querySelector<HTMLImageElement>('.yarl__slide_current img')?.naturalWidth === wanted,
        width,
      );
    await page.getByRole('button', { name: 'Previous picture' }).waitFor();
    await current(30);
    await page.keyboard.press('ArrowLeft');
    await current(40);
    await page.keyboard.press('Escape');
    await page.locator('.yarl__root').waitFor({ state: 'detached' });
    const focused = await pictures(ann)
      .nth(2)
      .evaluate((element) => element === document.activeElement);
    assert.ok(focused, 'the focus is at the picture again');
    await page.getByRole('textbox', { name: 'Write a message' }).waitFor();
  });

  test('a picture is pasted', async () => {
    await give(ann.page.getByRole('textbox', { name: 'Write a message' }), 'paste', png('pasted.png', 50, 25));
    await tray(ann).getByRole('img', { name: 'pasted.png' }).waitFor();
    await sendButton(ann).click();
    await pictures(ben).nth(3).waitFor();
  });

  test('a picture is dropped onto the conversation', async () => {
    await give(ann.page.getByRole('log', { name: 'Messages' }), 'drop', png('dropped.png', 25, 50));
    await tray(ann).getByRole('img', { name: 'dropped.png' }).waitFor();
    await sendButton(ann).click();
    await pictures(ben).nth(4).waitFor();
  });

  test('an SVG with a script goes as a file, and what only claims to be a picture is not shown', async () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>window.ran = true</script></svg>';
    await choose(ann, textFile('drawing.svg', script, 'image/svg+xml'));
    await sendButton(ann).click();
    await messages(ben).filter({ hasText: 'drawing.svg' }).getByRole('button', { name: 'Save drawing.svg' }).waitFor();
    const dora = await place.server.user('Dora');
    await ben.user.client.RelationService.addFriendByMid({ reqSeq: ben.user.client.nextReqSeq(), userMid: dora.mid });
    const hidden = `photo\u202Egnp.<img src=x onerror=alert(1)>.svg`;
    await dora.client.media().send(ben.user.mid, { kind: 'image', name: hidden, bytes: new Blob([script]) });
    await openChat(ben, dora.mid);
    const message = messages(ben).filter({ hasText: 'onerror' });
    await message.getByRole('button', { name: /^Save/ }).waitFor();
    assert.ok(!(await message.innerText()).includes('\u202E'));
    assert.equal(await message.locator('img').count(), 0);
    assert.equal(await ben.page.evaluate(() => 'ran' in window), false);
  });

  test('a picture whose object is gone says so', async () => {
    const eve = await place.server.user('Eve');
    await ben.user.client.RelationService.addFriendByMid({ reqSeq: ben.user.client.nextReqSeq(), userMid: eve.mid });
    await eve.client.media().send(ben.user.mid, {
      kind: 'file',
      name: 'gone.txt',
      bytes: new Blob(['soon gone']),
    });
    await openChat(ben, eve.mid);
    const message = messages(ben).filter({ hasText: 'gone.txt' });
    await message.waitFor();
    await rm(join(place.server.dataDir, 'objects', 'published'), { recursive: true });
    await message.getByRole('button', { name: 'Save gone.txt' }).click();
    await message.getByText('It is not there any more').waitFor();
  });
});
