// What the browser shows when a push message comes: that there is something new, and nothing else.
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startPushService, type TestBrowser, type TestPushService } from '@sealpost/dev-env/push-service';
import { until } from '@sealpost/dev-env/until';
import type { CDPSession } from 'playwright-core';
import { logIn, type Person, skip, world } from '../browsers.ts';

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

/** Returns a subscription at a push service that nobody can reach. */
const unreachable = (): TestBrowser['subscription'] => ({
  endpoint: 'https://push.example/ann',
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
});

/** Lets a page have this subscription, as if the person had turned notifications on. Real browsers ask their maker. */
const subscribe = ({ context }: Person, { endpoint, p256dh, auth }: TestBrowser['subscription']): Promise<unknown> =>
  context.addInitScript(
    (json) => {
      const unsubscribe = async () => {
        localStorage.setItem('unsubscribed', 'yes');
        return true;
      };
      const subscription = { toJSON: () => json, unsubscribe };
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (localStorage.getItem('unsubscribed') ? null : subscription),
      });
    },
    { endpoint, keys: { p256dh, auth } },
  );

describe('notifications after a new login', { skip }, () => {
  let service: TestPushService;
  const place = world({ offline: true, notifications: true, flags: { 'outbound-networks': '127.0.0.0/8' } });
  before(async () => {
    service = await startPushService();
  });
  after(() => service.close());

  /** Logs somebody in whose browser has a subscription. */
  async function subscribed(name: string): Promise<{ person: Person; browser: TestBrowser }> {
    const person = await place.person(name, { permissions: ['notifications'] });
    const browser = await service.browser((await person.user.client.PushService.getPushKey()).publicKey);
    await subscribe(person, browser.subscription);
    await person.page.reload();
    await logInAndSubscribe(person);
    return { person, browser };
  }
  /** Logs somebody in, and waits until the page has told the server of its subscription. */
  const logInAndSubscribe = ({ page, logIn: enter }: Person): Promise<unknown> =>
    Promise.all([page.waitForResponse(/subscribe/), enter()]);

  test('they go on for the same account, and end for another one', async () => {
    const ben = await place.server.user('Ben');
    const { person: ann, browser } = await subscribed('Ann');
    const { page, user } = ann;
    /** Waits until a message to Ann, whose page is closed, reaches her browser. */
    const hears = async (text: string): Promise<void> => {
      const earlier = browser.pushes.length;
      await page.goto('about:blank');
      await until(async () => {
        await ben.client.sendText(user.mid, text);
        return browser.pushes.length > earlier;
      }, 'the browser gets a push');
      await page.goto(place.network.url);
    };
    const endSession = async (): Promise<void> => {
      await user.client.PrimaryDeviceService.revokeOtherSessions();
      await page.getByText('This browser was logged out').waitFor();
    };
    await hears('with the first login');
    await endSession();
    await logInAndSubscribe(ann);
    await hears('with the second login');
    await endSession();
    await logIn(page, await place.server.user('Cem'));
    await page.waitForFunction(() => localStorage.getItem('unsubscribed') === 'yes');
  });

  test('a logout ends them in this browser', async () => {
    const { page } = (await subscribed('Dan')).person;
    const owners = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('notifications')));
    await until(async () => (await owners()).length === 1, 'the page knows whose notifications these are');
    await page.evaluate(() => {
      location.hash = '#/settings/security';
    });
    await page.getByRole('region', { name: 'Log out' }).getByRole('button').click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: /^Log out/ });
    await confirm.click();
    await page.waitForFunction(() => localStorage.getItem('unsubscribed') === 'yes');
    assert.deepEqual(await owners(), []);
  });
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

  test('another page of the same site in front hides none', async () => {
    const ann = await place.loggedIn('Ann', { permissions: ['notifications'] });
    const push = await pusher(ann);
    await ann.page.goto(new URL('/icon.svg', place.network.url).href);
    await push({ kind: 'new', chat: 'u3' });
    await ann.page.goto(place.network.url);
    await until(async () => (await shown(ann)).some(({ tag }) => tag === 'u3'), 'the notification is shown');
  });

  test('quiet hours stay as they are typed while the server has not answered, and the last ones hold', async () => {
    const ann = await place.loggedIn('Ann', { permissions: ['notifications'] });
    await subscribe(ann, unreachable());
    await ann.page.evaluate(() => {
      location.hash = '#/settings/notifications';
    });
    await ann.page.reload();
    const section = ann.page.getByRole('region', { name: 'Notifications on this device' });
    const [from, to] = [section.getByLabel('Quiet from'), section.getByLabel('Quiet until')];
    const shownHours = async () => [await from.inputValue(), await to.inputValue()];
    await section.getByLabel('Quiet at night').click();
    await from.waitFor();
    // From now on, the server answers late.
    const open = Promise.withResolvers<void>();
    const sent: string[] = [];
    await ann.context.route(/\/subscribe$/, async (route) => {
      sent.push(route.request().postData() ?? '');
      await open.promise;
      await route.continue();
    });
    await from.fill('21:30');
    await to.fill('06:15');
    await to.press('Backspace');
    assert.deepEqual(await shownHours(), ['21:30', '']);
    await to.fill('06:45');
    assert.deepEqual(await shownHours(), ['21:30', '06:45']);
    await until(() => sent.length > 0, 'the first hours are sent');
    open.resolve();
    await until(() => sent.at(-1)?.includes('06:45') === true, 'the last hours are sent');
    assert.deepEqual(await shownHours(), ['21:30', '06:45']);
    // A tab that is opened later shows what was saved.
    await until(async () => {
      await ann.page.reload();
      await to.waitFor();
      return (await to.inputValue()) === '06:45';
    }, 'the last hours are saved');
    assert.deepEqual(await shownHours(), ['21:30', '06:45']);
  });
});
