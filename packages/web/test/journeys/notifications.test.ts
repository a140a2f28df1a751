// What the browser shows when a push message comes: that there is something new, and nothing else.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CDPSession } from 'playwright-core';
import { type Person, skip, world } from '../browsers.ts';

interface Registration {
  readonly registrationId: string;
  readonly scopeURL: string;
}

/** Returns a function that delivers a push message to the service worker of a page, as the browser does. */
async function pusher({ context, page }: Person): Promise<(data: object) => Promise<void>> {
  const session: CDPSession = await context.newCDPSession(page);
  const found = Promise.withResolvers<Registration>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    if (registrations[0]) found.resolve(registrations[0]);
  });
  await session.send('ServiceWorker.enable');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const { registrationId, scopeURL } = await found.promise;
  return async (data) => {
    const origin = new URL(scopeURL).origin;
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) });
  };
}

const shown = ({ page }: Person): Promise<{ title: string; body: string; tag: string }[]> =>
  page.evaluate(async () => {
    const notifications = await (await navigator.serviceWorker.ready).getNotifications();
    return notifications.map(({ title, body, tag }) => ({ title, body, tag }));
  });

describe('notifications', { skip }, () => {
  const place = world({ offline: true, notifications: true });

  test('a page in front shows none; else there is one for each chat, without a text or a name', async () => {
    const ann = await place.loggedIn('Ann', { permissions: ['notifications'] });
    const push = await pusher(ann);
    await push({ kind: 'new', chat: 'u1' });
    assert.deepEqual(await shown(ann), []);
    await ann.page.goto('about:blank');
    for (const chat of ['u1', 'u2', 'u1']) await push({ kind: 'new', chat });
    await ann.page.goto(place.network.url);
    const found = await shown(ann);
    assert.deepEqual(found.map(({ tag }) => tag).sort(), ['u1', 'u2']);
    assert.deepEqual(new Set(found.map(({ title }) => title)), new Set(['Sealpost']));
  });
});
