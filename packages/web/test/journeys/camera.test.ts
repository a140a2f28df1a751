// Codes that are scanned with the camera. The camera sees a film of what another browser shows.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';
import { filmOf, filmOfNothing } from '../film.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-film-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const camera = join(folder, 'film.y4m');
writeFileSync(camera, filmOfNothing());

const go = ({ page }: Person, path: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, path);

describe('the camera', { skip }, () => {
  const place = world({ camera, flags: { 'login-confirmation': 'new-device' } });
  let ann: Person;
  let ben: Person;

  /** Points all cameras at a code that a browser shows. */
  const pointAt = async ({ page }: Person, name: string): Promise<void> =>
    writeFileSync(camera, await filmOf(page.getByRole('img', { name })));

  before(async () => {
    if (skip) return;
    ann = await place.person('Ann');
    ben = await place.person('Ben');
    await befriend(ann, ben);
    await ann.user.client.logout();
    await ben.user.client.logout();
    await ann.logIn();
    await ben.logIn();
    await openChat(ann, ben.user.mid);
    await write(ann, 'sealed before');
    await messageWith(ann, 'sealed before').getByLabel('Sent', { exact: true }).waitFor();
  });

  test('a code that is none of a login is refused', async () => {
    await go(ben, '#/contacts');
    await ben.page.getByRole('button', { name: 'Let others add you' }).click();
    await pointAt(ben, 'Code of your address');
    await ben.page.keyboard.press('Escape');
    await go(ann, '#/settings/devices');
    await ann.page.getByRole('button', { name: 'Add a device' }).click();
    await ann.page.getByRole('button', { name: 'Scan the code' }).click();
    await ann.page.getByText('This is not the code of a login.').waitFor();
    // The camera is off again.
    await ann.page.getByRole('button', { name: 'Scan the code' }).waitFor();
  });

  test('a camera that is closed stops, and one that is refused is explained', async () => {
    const { page } = ann;
    writeFileSync(camera, filmOfNothing());
    await page.getByRole('button', { name: 'Scan the code' }).click();
    const video = page.getByLabel('Picture of the camera');
    const track = await video.evaluateHandle(async (element: HTMLVideoElement) => {
      while (!(element.srcObject instanceof MediaStream)) await new Promise(requestAnimationFrame);
      return element.srcObject.getVideoTracks()[0];
    });
    assert.equal(await track.evaluate((one) => one?.readyState), 'live');
    await page.getByRole('button', { name: 'Close the camera' }).click();
    await video.waitFor({ state: 'detached' });
    assert.equal(await track.evaluate((one) => one?.readyState), 'ended');

    await ben.page.evaluate(() => {
      const refused = new DOMException('no', 'NotAllowedError');
      navigator.mediaDevices.getUserMedia = () => Promise.reject(refused);
    });
    await go(ben, '#/settings/devices');
    await ben.page.getByRole('button', { name: 'Add a device' }).click();
    await ben.page.getByRole('button', { name: 'Scan the code' }).click();
    await ben.page.getByRole('alert').getByText('This page may not use the camera.').waitFor();
    await ben.page.getByLabel('Or paste the address from the new device').waitFor();
    await ben.page.reload();
  });

  test('a camera whose picture cannot be shown stops', async () => {
    const { page } = ben;
    await page.evaluate(() => {
      HTMLMediaElement.prototype.play = function refuse() {
        Reflect.set(globalThis, 'camera', this.srcObject);
        return Promise.reject(new DOMException('no', 'NotSupportedError'));
      };
    });
    await go(ben, '#/settings/devices');
    await page.getByRole('button', { name: 'Add a device' }).click();
    await page.getByRole('button', { name: 'Scan the code' }).click();
    await page.getByRole('alert').getByText('The camera could not be used.').waitFor();
    const states = await page.evaluate(() =>
      Reflect.get(globalThis, 'camera')
        .getTracks()
        .map(({ readyState }: MediaStreamTrack) => readyState),
    );
    assert.deepEqual(states, ['ended']);
    await page.reload();
  });

  test('a new device shows a code, the other one scans it, and the keys come along', async () => {
    const other = await place.person('Ann', { user: ann.user, size: 'phone' });
    await other.page.getByRole('button', { name: 'Log in with another device' }).click();
    await pointAt(other, 'Code for the login');
    const { page } = ann;
    await page.getByRole('button', { name: 'Scan the code' }).click();
    await page.getByRole('button', { name: 'Yes, this is me' }).click();
    const pin = (await other.page.getByLabel('PIN', { exact: true }).textContent()) ?? '';
    await page.getByLabel('PIN on the new device').fill(pin);
    await page.getByRole('button', { name: 'Continue' }).click();
    const wordsOn = ({ page: where }: Person) => where.getByLabel('Words to compare').textContent();
    assert.equal(await wordsOn(ann), await wordsOn(other));
    await page.getByRole('button', { name: 'They are the same: let it in' }).click();
    await other.page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    await openChat(other, ben.user.mid);
    await messageWith(other, 'sealed before').waitFor();
    await go(other, '#/settings/security');
  });

  test('a safety number is compared by its code; that of somebody else does not fit', async () => {
    const cem = await place.person('Cem');
    const { client } = cem.user;
    await client.RelationService.addFriendByMid({ reqSeq: client.nextReqSeq(), userMid: ben.user.mid });
    await client.logout();
    await cem.logIn();
    const showNumber = async (of: Person, mid: string): Promise<void> => {
      await go(of, `#/contacts/${mid}`);
      await of.page.getByRole('button', { name: /^Safety number/ }).click();
      await of.page.getByRole('img', { name: 'Safety number as a code' }).waitFor();
    };
    await showNumber(ann, ben.user.mid);
    await showNumber(cem, ben.user.mid);
    await pointAt(cem, 'Safety number as a code');
    await ann.page.getByRole('button', { name: 'Scan the code of Ben' }).click();
    await ann.page.getByText('The numbers are different.').waitFor();
    assert.equal(await ann.page.getByText('You compared this number on').count(), 0);

    await showNumber(ben, ann.user.mid);
    await pointAt(ben, 'Safety number as a code');
    await ann.page.getByRole('button', { name: 'Scan the code of Ben' }).click();
    await ann.page.getByText('You compared this number on').waitFor();
  });
});
