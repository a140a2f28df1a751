// How somebody gets an account in the browser: by the link of an invite, and on an open server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operator } from '@sealpost/dev-env/people';
import { systemPorts } from '@sealpost/sdk';
import { Registration } from '@sealpost/sdk/registration';
import { skip, type World, world } from '../browsers.ts';
import { bluePicture } from '../pictures.ts';

type Page = Awaited<ReturnType<World['person']>>['page'];
type Route = Parameters<Parameters<Page['route']>[1]>[0];

const DAY_MS = 86_400_000;
const PASSWORD = 'a secret of the newcomer';

/** Opens a browser in which nobody was ever logged in. */
const strange = async (place: World, size: 'phone' | 'desktop' = 'desktop'): Promise<Page> =>
  (await place.person('Somebody else', { size })).page;

/** Makes an invite, and returns its code. */
const invite = async (place: World, about: Parameters<ReturnType<typeof operator>['createInvite']>[0] = {}) =>
  operator(place.server).createInvite(about);

const follow = async (place: World, page: Page, code: string): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(`${place.network.url}/join#${code}`);
};

/** Returns what the tab keeps. */
const kept = (page: Page): Promise<Record<string, string>> => page.evaluate(() => ({ ...sessionStorage }));

const password = (page: Page) => page.getByLabel('Password', { exact: true });
const create = (page: Page) => page.getByRole('button', { name: 'Create the account' });

async function fill(page: Page, userid: string, secret = PASSWORD): Promise<void> {
  await page.getByLabel('User id').fill(userid);
  await password(page).fill(secret);
  await page.getByLabel('Password again').fill(secret);
}

/** Lets the server open an account, and loses its answer. */
async function losesAnswer(page: Page): Promise<void> {
  const path = '**/registration/v1/accounts';
  const lost = async (route: Route): Promise<void> => {
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.route(path, lost, { times: 1 });
  await create(page).click();
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
}

const isIn = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();

describe('an account by an invite', { skip }, () => {
  /** Milliseconds by which the clock of the server is ahead. */
  let ahead = 0;
  const clock = { ...systemPorts.clock, now: () => systemPorts.clock.now() + ahead };
  const place = world({ flags: { 'failures-invite-per-address': '3/3600+60..60' }, ports: { clock } });
  let code: string;

  test('the link leads to an account with a picture, and into the messenger', async () => {
    ({ code } = await invite(place, { from: 'The chess club', name: 'Nora', userid: 'nora' }));
    const page = await strange(place, 'phone');
    await follow(place, page, code);
    await page.getByText('The chess club invites you.').waitFor();
    await page.getByText(`Your account will be on the server ${new URL(place.network.url).host}.`).waitFor();
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Nora');
    await page.getByText('This user id is free.').first().waitFor();
    await fill(page, 'nora');
    await page.getByLabel('Picture', { exact: true }).setInputFiles(bluePicture);
    await page.getByRole('button', { name: 'Use this picture' }).click();
    await page.getByRole('button', { name: 'Remove the picture' }).waitFor();
    await create(page).click();
    await isIn(page);
    assert.equal(new URL(page.url()).pathname, '/');
    await page.evaluate(() => {
      location.hash = '#/settings/profile';
    });
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Nora');
    await page.getByRole('button', { name: 'Remove the picture' }).waitFor();
    await page.goto(place.network.url);
    await isIn(page);
    // The link of an invite, opened where somebody is logged in.
    await follow(place, page, code);
    await page.getByText(/^Nora is logged in here/).waitFor();
    await page.getByRole('button', { name: 'Open the messenger' }).click();
    await isIn(page);
  });

  test('an invite that was used, withdrawn or never made says so', async () => {
    const page = await strange(place);
    await follow(place, page, code);
    await page.getByRole('alert').getByText('This invitation was used already.').waitFor();
    const other = await invite(place);
    await operator(place.server).revokeInvite({ invite: other.id });
    await follow(place, page, other.code);
    await page.getByRole('alert').getByText('This invitation was withdrawn.').waitFor();
    await page.getByRole('button', { name: 'Enter another code' }).click();
    await page.getByLabel('Invitation link or code').fill(`https://other.example.org/join#${code}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This invitation is for another server: https://other.example.org').waitFor();
    await page.getByLabel('Invitation link or code').fill('00000-00000-00000-00000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('There is no invitation with this code.').waitFor();
    await page.getByRole('button', { name: 'I have an account: log in' }).click();
    await page.getByLabel('User id, e-mail or phone').and(page.locator(':focus')).waitFor();
    assert.equal(new URL(page.url()).pathname, '/');
  });

  test('the login asks for the code, and what is wrong stands at its field', async () => {
    const taken = (await place.server.user('Taken')).userid;
    const { code: fresh } = await invite(place);
    const page = await strange(place);
    await page.getByRole('button', { name: 'I have an invitation' }).click();
    await page.getByLabel('Invitation link or code').and(page.locator(':focus')).waitFor();
    // As somebody types it from a printed card.
    await page.getByLabel('Invitation link or code').fill(fresh.toUpperCase().replaceAll('-', ' '));
    await page.keyboard.press('Enter');
    await page.getByText('You are invited.').waitFor();
    await page.getByRole('heading', { name: 'Create an account' }).and(page.locator(':focus')).waitFor();
    await create(page).click();
    await page.getByText('A name is needed.').waitFor();
    await page.getByLabel('Your name').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Your name').fill('Otto');
    await fill(page, taken, 'short');
    await page.getByText('Somebody else has this user id.').first().waitFor();
    await page.getByText('Choose another password: at least 8 characters').waitFor();
    await page.getByLabel('Password again').fill('shorter');
    await page.getByText('This is not the same password.').waitFor();
    // Only the server knows which passwords many people use.
    await fill(page, 'otto', 'password123');
    await page.getByText('This user id is free.').first().waitFor();
    await create(page).click();
    await password(page).and(page.locator(':focus')).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByText('Choose another password: at least 8 characters').waitFor();
    await fill(page, 'otto');
    await page.keyboard.press('Enter');
    await isIn(page);
  });

  test('an account whose answer was lost is logged in by a repeat, and the invite is counted once', async () => {
    const { id, code: shared } = await invite(place, { uses: 2 });
    const page = await strange(place);
    await follow(place, page, shared);
    await page.getByLabel('Your name').fill('Sam');
    // The user id is asked about when the account is there already.
    const opened = Promise.withResolvers<void>();
    const check = '**/registration/v1/userid';
    await page.route(check, (route) => opened.promise.then(() => route.continue()));
    await Promise.all([page.waitForRequest(check), fill(page, 'sam')]);
    await losesAnswer(page);
    await Promise.all([page.waitForResponse(check), opened.resolve()]);
    assert.equal(await page.getByText('Somebody else has this user id.').count(), 0);
    await create(page).click();
    await isIn(page);
    const { used, accounts } = await operator(place.server).showInvite({ invite: id });
    assert.deepEqual([used, accounts.length], [1, 1]);
    assert.deepEqual(await kept(page), {});
  });

  test('after a reload, an account whose answer was lost is offered for the login', async () => {
    const { code: single } = await invite(place);
    const page = await strange(place);
    await follow(place, page, single);
    await page.getByLabel('Your name').fill('Tess');
    await fill(page, 'Tess');
    await losesAnswer(page);
    assert.deepEqual(await kept(page), { 'sealpost-opening': 'tess' });
    await page.reload();
    await page.getByRole('alert').getByText('The account tess may exist already.').waitFor();
    await page.getByRole('button', { name: 'Enter another code' }).waitFor();
    assert.equal(await page.getByText('This invitation was used already.').count(), 0);
    await page.getByRole('button', { name: 'Log in as tess' }).click();
    await password(page).and(page.locator(':focus')).waitFor();
    assert.equal(await page.getByLabel('User id, e-mail or phone').inputValue(), 'tess');
    await password(page).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await isIn(page);
    assert.deepEqual(await kept(page), {});
  });

  test('an invite that somebody else uses meanwhile says so, and so does the limit of wrong codes', async () => {
    const { code: raced } = await invite(place);
    const page = await strange(place);
    await follow(place, page, raced);
    await page.getByLabel('Your name').fill('Late');
    await fill(page, 'late');
    const early = new Registration({ url: place.server.url, fetch: systemPorts.fetch });
    await early.register({ userid: 'early.bird', password: PASSWORD, displayName: 'Early', code: raced });
    await create(page).click();
    await page.getByRole('alert').getByText('This invitation was used already.').waitFor();
    for (let tries = 0; (await page.getByText('You can try again in').count()) === 0; tries += 1) {
      assert.ok(tries < 10, 'there is no limit');
      await follow(place, page, `00000-00000-00000-0000${tries}`);
      await page.getByRole('alert').waitFor();
    }
  });

  test('an invite that expires, before or while the page shows it, says so', async () => {
    ahead += 2 * DAY_MS;
    const { code: short } = await invite(place, { days: 1 });
    const page = await strange(place);
    await follow(place, page, short);
    await page.getByLabel('Your name').fill('Uma');
    await fill(page, 'uma');
    ahead += 2 * DAY_MS;
    await create(page).click();
    await page.getByRole('alert').getByText('This invitation has expired.').waitFor();
    assert.deepEqual(await kept(page), {});
    await page.reload();
    await page.getByRole('alert').getByText('This invitation has expired.').waitFor();
    assert.equal(await create(page).count(), 0);
  });
});

describe('an account on an open server', { skip }, () => {
  const place = world({ flags: { registration: 'open', 'challenge-work': '5', 'registrations-per-address': '1' } });

  test('anybody opens one, after a piece of work that is shown, within the limit', async () => {
    const page = await strange(place);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Your name').fill('Pia');
    await fill(page, 'pia');
    await page.route('**/registration/v1/challenge', async (route) => {
      await page.getByRole('progressbar', { name: /^Your device works/ }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Creating the account…' }).isDisabled(), true);
      await route.continue();
    });
    await create(page).click();
    await isIn(page);
    const second = await strange(place);
    await second.getByRole('button', { name: 'Create an account' }).click();
    await second.getByLabel('Your name').fill('Quinn');
    await fill(second, 'quinn');
    await create(second).click();
    await second
      .getByRole('alert')
      .getByText(/You can try again in (\d+ hours|1 day)/)
      .waitFor();
  });

  test('the code of an invite spares the work and the limit', async () => {
    const page = await strange(place);
    const { code } = await invite(place);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('button', { name: 'I have an invitation' }).click();
    await page.getByLabel('Invitation link or code').fill(code);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('You are invited.').waitFor();
    await page.getByLabel('Your name').fill('Rosa');
    await fill(page, 'rosa');
    await create(page).click();
    await isIn(page);
  });
});

describe('a server that opens no accounts', { skip }, () => {
  const place = world({ flags: { registration: 'closed' } });

  test('offers none', async () => {
    const page = await strange(place);
    const told = page.waitForResponse((response) => response.url().endsWith('/api/registration/v1/'));
    await page.reload();
    await told;
    await page.getByRole('button', { name: 'Log in with another device' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /account|invitation/ }).count(), 0);
    await follow(place, page, '00000-00000-00000-00000');
    await page.getByRole('alert').getByText('This server opens no accounts here.').waitFor();
  });
});
