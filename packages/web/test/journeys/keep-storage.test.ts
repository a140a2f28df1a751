// The browser is asked to keep what the messenger stores, because it may delete it otherwise, keys included.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { until } from '@sealpost/dev-env/until';
import { logIn, type Person, skip, world } from '../browsers.ts';

const DAY_MS = 24 * 3600_000;

/** Lets the browser of a person count how often it is asked, and agree only if `isKept` is stored. */
const counted = ({ context }: Person): Promise<unknown> =>
  context.addInitScript(() => {
    const count = () => Number(localStorage.getItem('times-asked') ?? 0);
    Object.assign(StorageManager.prototype, {
      persisted: async () => localStorage.getItem('is-kept') !== null,
      persist: async () => {
        localStorage.setItem('times-asked', String(count() + 1));
        return false;
      },
    });
  });

const timesAsked = ({ page }: Person): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('times-asked'));

/** Loads the page again, and waits until it has asked for what it keeps. */
async function reload({ page }: Person): Promise<void> {
  const ready = page.getByRole('heading', { name: 'Chats', exact: true });
  await page.reload();
  await ready.waitFor();
  // The key opens something of the same part of the page that asks the browser.
  await until(async () => {
    await page.keyboard.press('Control+k');
    return (await page.getByRole('dialog').count()) > 0;
  }, 'the key opens the list of places');
  await page.keyboard.press('Escape');
}

describe('the storage of the browser', { skip }, () => {
  const place = world();
  let ann: Person;
  before(async () => {
    ann = await place.person('ann');
    await counted(ann);
    await ann.page.reload();
  });

  test('is asked for after the login, not before', async () => {
    await ann.page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    assert.equal(await timesAsked(ann), null);
    await logIn(ann.page, ann.user);
    await until(async () => (await timesAsked(ann)) === '1', 'the browser was asked');
  });

  test('is not asked for again within a week', async () => {
    await reload(ann);
    assert.equal(await timesAsked(ann), '1');
  });

  test('is asked for again after a week', async () => {
    await ann.page.clock.install({ time: Date.now() + 8 * DAY_MS });
    await reload(ann);
    await until(async () => (await timesAsked(ann)) === '2', 'the browser was asked again');
  });

  test('is not asked for if the browser keeps it', async () => {
    await ann.page.evaluate(() => localStorage.setItem('is-kept', 'yes'));
    await ann.page.clock.setSystemTime(Date.now() + 20 * DAY_MS);
    await reload(ann);
    assert.equal(await timesAsked(ann), '2');
  });
});
