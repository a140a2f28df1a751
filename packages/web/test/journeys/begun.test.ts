// What somebody has begun in a chat waits there while they do something else: texts, files, and recordings.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';
import { png, textFile } from '../files.ts';

const TEXT = 'half a sentence';

describe('what was begun', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person['user'];
  let cem: Person['user'];

  const field = () => ann.page.getByRole('textbox', { name: 'Write a message' });
  const files = () => ann.page.getByRole('list', { name: 'To be sent' }).getByRole('listitem');
  /** Returns whether the list of chats shows a draft. */
  const draft = (text: string) =>
    ann.page.getByRole('link').filter({ hasText: 'Draft:' }).filter({ hasText: text }).waitFor();

  /** Goes from the chat with Ben to that with Cem, and back. */
  async function lookAway(): Promise<void> {
    await openChat(ann, cem.mid);
    await ann.page.getByRole('heading', { name: 'Cem' }).waitFor();
    assert.deepEqual([await field().inputValue(), await files().count()], ['', 0]);
    await openChat(ann, ben.mid);
    await ann.page.getByRole('heading', { name: 'Ben' }).waitFor();
  }

  before(async () => {
    if (skip) return;
    ann = await place.person('Ann', { permissions: ['microphone'] });
    [ben, cem] = [await place.server.user('Ben'), await place.server.user('Cem')];
    for (const user of [ben, cem]) await befriend(ann, { user });
    await ann.logIn();
    await openChat(ann, cem.mid);
    await write(ann, 'hello Cem');
    await openChat(ann, ben.mid);
  });

  test('a text stays when a sticker is sent', async () => {
    const { page } = ann;
    await field().fill(TEXT);
    await draft(TEXT);
    await page.getByRole('button', { name: 'Emoji and stickers' }).click();
    await page.getByRole('tab', { name: 'Wax the Seal' }).click();
    await page.getByRole('tabpanel', { name: 'Wax the Seal' }).getByRole('button').first().click();
    await page.getByRole('log').getByRole('article').getByLabel('Sent', { exact: true }).waitFor();
    await draft(TEXT);
    await lookAway();
    assert.equal(await field().inputValue(), TEXT);
  });

  test('a text stays when a message is forwarded to its chat', async () => {
    const { page } = ann;
    await openChat(ann, cem.mid);
    await messageWith(ann, 'hello Cem').hover();
    await messageWith(ann, 'hello Cem').getByRole('button', { name: 'More about this message' }).click();
    await page.getByRole('menuitem', { name: 'Forward' }).click();
    await page.getByRole('checkbox', { name: 'Ben' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Forward to 1 chat' }).click();
    await page.getByText('Forwarded', { exact: true }).waitFor();
    await draft(TEXT);
    await openChat(ann, ben.mid);
    await messageWith(ann, 'hello Cem').waitFor();
    assert.equal(await field().inputValue(), TEXT);
    await page.keyboard.press('Enter');
    await messageWith(ann, TEXT).waitFor();
  });

  test('a text that waits for its picture is no draft any more; what is typed meanwhile stays one', async () => {
    const { page } = ann;
    await page.evaluate(() => {
      const real = createImageBitmap;
      const released = Promise.withResolvers<void>();
      addEventListener('picture-released', () => released.resolve(), { once: true });
      Object.assign(globalThis, {
        createImageBitmap: async (blob: Blob) => {
          await released.promise;
          return real(blob);
        },
      });
    });
    await page.getByLabel('Choose pictures or videos').setInputFiles(png('sea.png', 20, 20));
    await files().first().waitFor();
    await field().fill('with a picture');
    await draft('with a picture');
    await field().press('Enter');
    await lookAway();
    assert.equal(await field().inputValue(), '');
    await field().fill('typed meanwhile');
    await draft('typed meanwhile');
    await page.evaluate(() => dispatchEvent(new Event('picture-released')));
    await messageWith(ann, 'with a picture').getByLabel('Sent', { exact: true }).waitFor();
    await lookAway();
    assert.equal(await field().inputValue(), 'typed meanwhile');
    await page.reload();
    await draft('typed meanwhile');
    assert.equal(await field().inputValue(), 'typed meanwhile');
    await field().fill('');
  });

  test('chosen files and a recording wait in their chat', async () => {
    const { page } = ann;
    await page.getByLabel('Choose files').setInputFiles(textFile('plan.txt', 'a plan'));
    await files().filter({ hasText: 'plan.txt' }).waitFor();
    await lookAway();
    await files().filter({ hasText: 'plan.txt' }).waitFor();
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByRole('menuitem', { name: 'Voice message' }).click();
    await page.getByRole('timer', { name: 'Recorded' }).getByText('0:02').waitFor();
    await lookAway();
    await files().filter({ hasText: 'voice-' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await messageWith(ann, 'plan.txt').getByLabel('Sent', { exact: true }).waitFor();
    await page.getByRole('slider', { name: 'Position in the sound' }).waitFor();
    await lookAway();
    assert.equal(await files().count(), 0);
  });

  test('a recording that was thrown away does not wait', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByRole('menuitem', { name: 'Voice message' }).click();
    await page.getByRole('timer', { name: 'Recorded' }).getByText('0:01').waitFor();
    await page.keyboard.press('Escape');
    await field().waitFor();
    await lookAway();
    assert.equal(await files().count(), 0);
  });

  const notes = () => ann.page.getByRole('slider', { name: 'Position in the sound' });

  /** Begins to record, and waits until something is recorded. */
  async function record(): Promise<void> {
    await ann.page.getByRole('button', { name: 'Attach' }).click();
    await ann.page.getByRole('menuitem', { name: 'Voice message' }).click();
    await ann.page.getByRole('timer', { name: 'Recorded' }).getByText('0:01').waitFor();
  }

  /** Keeps the microphones that the page opens from now on, where a test finds them. */
  const keepMicrophones = () =>
    ann.page.evaluate(() => {
      const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      const tracks: MediaStreamTrack[] = [];
      Reflect.set(globalThis, 'tracks', tracks);
      navigator.mediaDevices.getUserMedia = async (wanted) => {
        const stream = await ask(wanted);
        tracks.push(...stream.getTracks());
        return stream;
      };
    });

  test('a recording is sent once, however often its button is pressed', async () => {
    const before = await notes().count();
    await record();
    const send = ann.page.getByRole('button', { name: 'Send the voice message' });
    await send.evaluate((button: HTMLElement) => {
      for (let presses = 0; presses < 3; presses++) button.click();
    });
    await notes().nth(before).waitFor();
    await write(ann, 'after the recording');
    await messageWith(ann, 'after the recording').getByLabel('Sent', { exact: true }).waitFor();
    assert.equal(await notes().count(), before + 1);
  });

  test('what was recorded can be sent after the microphone was unplugged', async () => {
    const before = await notes().count();
    await keepMicrophones();
    await record();
    await ann.page.evaluate(async () => {
      for (const track of Reflect.get(globalThis, 'tracks')) track.stop();
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    await ann.page.getByRole('button', { name: 'Send the voice message' }).click();
    await notes().nth(before).waitFor();
  });

  test('a browser that cannot record frees the microphone', async () => {
    await ann.page.reload();
    await field().waitFor();
    await keepMicrophones();
    await ann.page.evaluate(() => {
      MediaRecorder.prototype.start = () => {
        throw new DOMException('no', 'NotSupportedError');
      };
    });
    await ann.page.getByRole('button', { name: 'Attach' }).click();
    await ann.page.getByRole('menuitem', { name: 'Voice message' }).click();
    await ann.page.getByText('The microphone could not be used.').waitFor();
    const states = await ann.page.evaluate(() =>
      Reflect.get(globalThis, 'tracks').map(({ readyState }: MediaStreamTrack) => readyState),
    );
    assert.deepEqual(states, ['ended']);
  });
});
