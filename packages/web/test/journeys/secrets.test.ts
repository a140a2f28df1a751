// A browser that is let in, or gets its keys later, shows and opens the sealed messages from before, without a reload:
// in whatever order its reads of the server end.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

type Page = Person['page'];

const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((where) => {
    location.hash = where;
  }, path);

const TEXTS = ['the first secret', 'the second secret', 'the third secret', 'the last secret'];

describe('older secrets in a new browser', { skip }, () => {
  const place = world({ flags: { 'login-confirmation': 'new-device' } });
  let ann: Person;
  let ben: Person;

  before(async () => {
    if (skip) return;
    ann = await place.person('Ann');
    ben = await place.person('Ben');
    await befriend(ann, ben);
    // The first login of an account needs no confirmation, if nobody else is logged in to it.
    await ann.user.client.logout();
    await ben.user.client.logout();
    await ann.logIn();
    await ben.logIn();
    await openChat(ann, ben.user.mid);
    await openChat(ben, ann.user.mid);
    for (const [index, text] of TEXTS.entries()) {
      const [from, to] = index % 2 === 0 ? [ann, ben] : [ben, ann];
      await write(from, text);
      await messageWith(from, text).getByLabel('Sealed', { exact: true }).waitFor();
      await messageWith(to, text).waitFor();
    }
  });

  const second = (): Promise<Person> => place.person('Ann', { user: ann.user });

  /** Lets frames come late, as on a busy machine: answers of the engine overtake the changes that it tells. */
  async function busy({ context, page }: Person): Promise<void> {
    await context.addInitScript(() => {
      const next = requestAnimationFrame;
      globalThis.requestAnimationFrame = (run) => Number(setTimeout(() => next(run), 300));
    });
    await page.reload();
  }

  /** Holds the first answer to a call of a browser until `release` is called. */
  async function held({ context }: Person, method: string) {
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let isFirst = true;
    await context.route(new RegExp(`/${method}$`), async (route) => {
      if (isFirst) {
        isFirst = false;
        asked.resolve();
        await released.promise;
      }
      await route.continue();
    });
    return { asked: asked.promise, release: released.resolve };
  }

  /** Asks for a login by password on one browser, and lets it in on Ann's first one. */
  async function byPassword({ page, user }: Person): Promise<void> {
    await page.getByLabel('User id, e-mail or phone').fill(user.userid);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    const pin = (await page.getByLabel('PIN', { exact: true }).textContent()) ?? '';
    await ann.page.getByRole('button', { name: 'Yes, this is me' }).click();
    await letIn(pin);
  }

  async function byCode({ page }: Person): Promise<void> {
    await page.getByRole('button', { name: 'Log in with another device' }).click();
    await page.getByText('The other device has no camera').click();
    const address = (await page.locator('code').textContent()) ?? '';
    await go(ann.page, '#/settings/devices');
    await ann.page.getByRole('button', { name: 'Add a device' }).click();
    await ann.page.getByLabel('Or paste the address from the new device').fill(address);
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await ann.page.getByRole('button', { name: 'Yes, this is me' }).click();
    await letIn((await page.getByLabel('PIN', { exact: true }).textContent()) ?? '');
  }

  async function letIn(pin: string): Promise<void> {
    await ann.page.getByLabel('PIN on the new device').fill(pin);
    await ann.page.getByRole('button', { name: 'Continue' }).click();
    await ann.page.getByRole('button', { name: 'They are the same: let it in' }).click();
  }

  async function showsAll(person: Person): Promise<void> {
    for (const text of TEXTS) await messageWith(person, text).waitFor();
    assert.equal(await person.page.getByText('This message stays sealed').count(), 0);
  }

  for (const [how, logIn] of [
    ['by password', byPassword],
    ['by a code', byCode],
  ] as const) {
    test(`a chat that is opened before everything is read shows all of them: ${how}`, async () => {
      const other = await second();
      await busy(other);
      const everything = await held(other, 'getProfile');
      const history = other.page.waitForResponse(/getPreviousMessagesV2WithRequest|getRecentMessagesV2/);
      await go(other.page, `#/chats/${ben.user.mid}`);
      await logIn(other);
      await everything.asked;
      await history;
      everything.release();
      await showsAll(other);
      await other.context.close();
    });
  }

  test('all of them open although the first question for a key had no answer', async () => {
    const other = await second();
    let isCut = false;
    await other.context.route(/\/getE2EEPublicKey$/, async (route) => {
      if (isCut) return route.continue();
      isCut = true;
      await route.abort('connectionreset');
    });
    await byPassword(other);
    await other.page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
    await openChat(other, ben.user.mid);
    await showsAll(other);
    assert.equal(isCut, true);
    await other.context.close();
  });
});
