// Actions whose answer does not arrive, and those that come after a colleague's, in a real browser over a real server.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRpcClient } from '@sealpost/sdk';
import { type Page, skip } from '../browsers.ts';
import { administered } from './administered.ts';

/** The page behind an open dialog, which has no roles there. */
const rowWith = (page: Page, text: string) => page.locator('main').getByText(text).first();
const toastWith = (page: Page, text: string) => page.getByLabel('Messages of the page').getByText(text);
const alertIn = (page: Page, text: string) => page.getByRole('dialog').getByRole('alert').getByText(text);
const press = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

/** Lets calls that change something reach the server, and loses their answers. */
async function loseAnswers(page: Page, how: 'cut' | 'proxy'): Promise<void> {
  await page.route('**/api/admin/v1/**', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    await route.fetch();
    if (how === 'cut') await route.abort();
    else await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
  });
}

describe('an action without an answer', { skip }, () => {
  const world = administered();

  test('a new password may be set, and is set again without harm', async () => {
    const { page, go, server } = world;
    const { mid, userid } = await server.user('Alice');
    await go(`#/people/${mid}`);
    await page.getByRole('region', { name: 'Sessions' }).getByRole('listitem').first().waitFor();
    await page.getByRole('button', { name: 'Reset password' }).click();
    const password = await page.getByRole('dialog').getByLabel('Password').inputValue();
    await loseAnswers(page, 'cut');
    await press(page, 'Set the password');
    await alertIn(page, 'Alice may have this password already. Set it again to be sure').waitFor();
    assert.equal(await page.getByRole('dialog').getByLabel('Password').inputValue(), password);
    const client = createRpcClient({ url: server.url });
    await client.login({ identifier: userid, password });
    client.close();
    await page.unrouteAll();
    await press(page, 'Set the password');
    await toastWith(page, 'Alice has the new password.').waitFor();
  });

  test('an invite, a token and an account are in the list, whose secret nobody saw', async () => {
    const { page, go } = world;
    await go('#/invites');
    await page.getByText('No invites yet').waitFor();
    await loseAnswers(page, 'proxy');
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByRole('dialog').getByLabel('For whom').fill('The rowing club');
    await press(page, 'Create');
    await alertIn(page, 'its link cannot be shown again. If it is in the list, revoke it').waitFor();
    await rowWith(page, 'The rowing club').waitFor();
    await press(page, 'Cancel');
    await go('#/administrators/tokens');
    await page.getByText('No program has a token.').waitFor();
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByRole('dialog').getByLabel('What it is for').fill('nightly');
    await press(page, 'Make a token');
    await alertIn(page, 'it cannot be shown again. If it is in the list, revoke it').waitFor();
    await rowWith(page, 'nightly').waitFor();
    await press(page, 'Cancel');
    await go('#/people');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Carla');
    await page.getByRole('dialog').getByLabel('User id').fill('carla');
    await press(page, 'Create');
    await alertIn(page, 'The account may exist already, with this password.').waitFor();
    await rowWith(page, 'Carla').waitFor();
    await page.unrouteAll();
    await press(page, 'Create');
    await page.getByRole('dialog').getByText('Another account has it already.').waitFor();
    await press(page, 'Cancel');
  });

  test('recovery codes may be void', async () => {
    const { page, go } = world;
    await go('#/administrators/own');
    await page.getByText('10 codes are left').waitFor();
    await loseAnswers(page, 'cut');
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByRole('dialog').getByLabel('Your password').fill('the password of operator');
    await press(page, 'Make new codes');
    await alertIn(page, 'The codes that you have kept may be void already.').waitFor();
    assert.equal(await page.getByRole('dialog').locator('[aria-invalid=true]').count(), 0, 'the password is right');
    await page.unrouteAll();
    await press(page, 'Cancel');
  });
});

describe('a report that a colleague has changed', { skip }, () => {
  const world = administered();

  test('is not taken from the colleague, and the page says who has it', async () => {
    const { page, go, admin, server } = world;
    const [reporter, mallory] = [await server.user('Reporter'), await server.user('Mallory')];
    await reporter.client.TalkService.reportAbuseEx({
      abuseReportEntry: {
        message: { reportSource: 1, spammerReasons: [5], abuseMessages: [], metadata: { userMid: mallory.mid } },
      },
    });
    const report = (await admin.listReports()).reports[0]?.id ?? '';
    const assignee = async () => (await admin.showReport({ report })).assignedTo;
    await go(`#/reports/${report}`);
    await page.getByRole('button', { name: 'Take care of it' }).waitFor();
    await admin.assignReport({ report, to: 'Ruth' });
    await page.getByRole('button', { name: 'Take care of it' }).click();
    await toastWith(page, 'Nothing was changed: Ruth takes care of the report now.').waitFor();
    assert.equal(await assignee(), 'Ruth');
    await page.getByRole('main').getByText('Ruth', { exact: true }).waitFor();
    // Now the page knows it, so the administrator decides.
    await page.getByRole('button', { name: 'Take care of it' }).click();
    await page.getByRole('button', { name: 'Give it back' }).waitFor();
    await admin.assignReport({ report, to: 'Ben' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await toastWith(page, 'Nothing was changed: Ben takes care of the report now.').waitFor();
    assert.equal(await assignee(), 'Ben');
    await admin.assignReport({ report });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await press(page, 'Dismiss');
    await toastWith(page, 'Nothing was changed: nobody takes care of the report any more.').waitFor();
    await admin.resolveReport({ report, action: 'dismiss' });
    await press(page, 'Dismiss');
    await toastWith(page, 'Nothing was changed: admin-token has resolved the report already.').waitFor();
    await page.getByRole('main').getByText('resolved', { exact: true }).waitFor();
  });
});

describe('a refusal', { skip }, () => {
  const world = administered();

  test('is told in the language of the page', async () => {
    const { page, go } = world;
    await go('#/settings');
    await page.getByRole('radio', { name: '日本語' }).click();
    await page.getByRole('heading', { name: '設定', level: 1 }).waitFor();
    await go('#/people');
    await page.getByRole('button', { name: 'アカウントを作成' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('名前').fill('Dora');
    await dialog.getByLabel('ユーザーID').fill('not a user id');
    await dialog.getByLabel('パスワード').fill('password');
    await dialog.getByLabel('メール').fill('nobody');
    await dialog.getByLabel('電話').fill('12');
    await dialog.getByRole('button', { name: '作成', exact: true }).click();
    for (const text of [
      '英小文字、数字',
      '別のパスワードを選んでください',
      'メールアドレスではありません',
      '国番号を付けて',
    ])
      await dialog.getByText(text).waitFor();
    assert.equal(await dialog.locator('[aria-invalid=true]').count(), 4);
    await dialog.getByRole('button', { name: 'キャンセル' }).click();
  });
});
