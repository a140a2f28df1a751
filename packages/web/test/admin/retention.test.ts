// Old messages are counted on the page Storage, and removed once, in a real browser.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { logInAdministrator } from '@sealpost/dev-env/administrators';
import { until } from '@sealpost/dev-env/until';
import { skip } from '../browsers.ts';
import { administered, cookieAt } from './administered.ts';

const DAY_MS = 86_400_000;

describe('Retention', { skip }, () => {
  let later = 0;
  const now = (): number => Date.now() + later;
  const world = administered({ ports: { clock: { now, monotonic: () => performance.now() } } });

  test('old messages are counted, and removed after a question', async () => {
    const { server, admin } = world;
    const [alice, bob] = [await server.user('Alice'), await server.user('Bob')];
    for (const text of ['first', 'second']) await alice.client.sendText(bob.mid, text);
    later = 40 * DAY_MS;
    const { cookie } = await logInAdministrator(server, { name: 'later', now });
    const page = await world.open();
    await page.context().addCookies([cookieAt(server.url, cookie.split('=')[1] ?? '')]);
    await page.reload();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await world.go('#/storage', page);
    const section = page.getByRole('region', { name: 'How long messages are kept' });
    await section.getByText('for ever').waitFor();
    await section.getByLabel('Older than so many days').fill('50');
    await section.getByRole('button', { name: 'Count' }).click();
    await section.getByText('Nothing is that old.').waitFor();
    await section.getByLabel('Older than so many days').fill('30');
    await section.getByRole('button', { name: 'Count' }).click();
    await section.getByText('2 messages, with 0 files').waitFor();
    assert.deepEqual((await admin.retentionPreview({})).ordered, {});
    await section.getByRole('button', { name: 'Remove messages' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove what is older than 30 days?' });
    await dialog.getByRole('button', { name: 'Remove messages' }).click();
    await section.getByText('2 messages, with 0 files').waitFor({ state: 'detached' });
    await section.getByText('Messages removed once, if before').waitFor();
    assert.notEqual((await admin.retentionPreview({})).ordered.messages, undefined);
    await until(async () => (await admin.retentionPreview({ days: 30 })).messages === 0, 'the messages are gone');
    await page.context().close();
  });
});
