// The parts of the page that are loaded later: ahead of their use, and what happens where one does not come.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '@sealpost/dev-env/until';
import type { Page } from 'playwright-core';
import { befriend, openChat, type Person, skip, world } from '../browsers.ts';
import { textFile } from '../files.ts';

/** The file of the dialog that the tests miss, and the part that is loaded last. */
const DIALOG = /\/assets\/new-chat-dialog-.*\.js$/;
/** The part of the engine that makes the archive of the account. */
const ARCHIVES = /\/assets\/engine-archive-.*\.js$/;
const LAST = /\/assets\/voice-recorder-.*\.js$/;
/** How the browser or the page tells that a part did not come: its code, or its styles. */
const UNLOADED = /Failed to fetch dynamically imported module|Unable to preload CSS/;

/** Marks the page as it is now. A page that was loaded again has no mark. */
const mark = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.set(globalThis, 'marked', true));
const isMarked = (page: Page): Promise<boolean> => page.evaluate(() => Reflect.has(globalThis, 'marked'));

const reloaded = ({ page }: Person): Promise<unknown> => page.waitForFunction(() => !Reflect.has(globalThis, 'marked'));

const openDialog = ({ page }: Person): Promise<void> => page.getByRole('button', { name: 'New chat' }).click();
const dialog = ({ page }: Person) => page.getByRole('dialog', { name: 'New chat' });

describe('parts that are loaded later', { skip }, () => {
  const place = world();
  /** A browser that keeps nothing, as in the first seconds. */
  const newcomer = (): Promise<Person> => place.person('Ann', { serviceWorkers: 'block' });

  test('come ahead: then dialogs, menus and screens open without a connection', async () => {
    const ann = await newcomer();
    const { page } = ann;
    const ben = { user: await place.server.user('Ben') };
    await befriend(ann, ben);
    const last = page.waitForResponse(LAST);
    await ann.logIn();
    await openChat(ann, ben.user.mid);
    await (await last).finished();
    place.network.down(true);
    await page.getByText('Not connected.').waitFor();
    await openDialog(ann);
    await dialog(ann).waitFor();
    await page.keyboard.press('Escape');
    await dialog(ann).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Attach' }).click();
    await page.getByRole('menuitem', { name: 'Place' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to a chat, a person or an action' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Appearance and language' }).click();
    await page.getByRole('combobox', { name: 'Theme' }).waitFor();
    place.network.down(false);
    await page.getByText('Not connected.').waitFor({ state: 'detached' });
  });

  test('are loaded when they are opened, if they did not come ahead', async () => {
    const ann = await newcomer();
    await ann.context.route(DIALOG, (route) => route.abort());
    const failed = ann.page.waitForEvent('requestfailed', (request) => DIALOG.test(request.url()));
    await ann.logIn();
    await mark(ann.page);
    await failed;
    await ann.context.unroute(DIALOG);
    await openDialog(ann);
    await dialog(ann).waitFor();
    assert.ok(await isMarked(ann.page));
  });

  test('do not take the page with them while there is no connection', async () => {
    const ann = await newcomer();
    await ann.context.route(DIALOG, (route) => route.abort());
    const failed = ann.page.waitForEvent('requestfailed', (request) => DIALOG.test(request.url()));
    await ann.logIn();
    await mark(ann.page);
    await failed;
    place.network.down(true);
    await openDialog(ann);
    await ann.page.getByRole('alert').getByRole('button', { name: 'Load the page again' }).waitFor();
    await ann.page.getByText('Not connected.').waitFor();
    assert.ok(await isMarked(ann.page));
    place.network.down(false);
    // The browser tells its errors in its own time.
    await until(() => ann.problems.length > 0, 'the error is told');
    assert.match(ann.problems.splice(0).join('\n'), UNLOADED);
  });

  test('of the engine are loaded again, and a logout does not need them', async () => {
    const ann = await newcomer();
    const { page, context } = ann;
    await ann.logIn();
    await page.evaluate(() => {
      location.hash = '#/settings/account';
    });
    await context.route(ARCHIVES, (route) => route.abort());
    await page.getByRole('button', { name: 'Export my data' }).click();
    await page.getByText(UNLOADED).first().waitFor();
    await page.getByRole('region', { name: 'Log out' }).getByRole('button').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Log out/ })
      .click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    assert.deepEqual(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)), []);
    await context.unroute(ARCHIVES);
    await ann.logIn();
    await page.evaluate(() => {
      location.hash = '#/settings/account';
    });
    await page.getByRole('button', { name: 'Export my data' }).click();
    await page.getByText(/^The archive is complete/).waitFor();
    for (const problem of ann.problems.splice(0)) assert.match(problem, UNLOADED);
  });

  test('that a new version of the server does not have any more let the page load again', async () => {
    const ann = await newcomer();
    await ann.context.route(DIALOG, (route) => route.fulfill({ status: 404 }));
    const missed = ann.page.waitForResponse(DIALOG);
    await ann.logIn();
    await mark(ann.page);
    await missed;
    await openDialog(ann);
    await reloaded(ann);
    await ann.context.unroute(DIALOG);
    await openDialog(ann);
    await dialog(ann).waitFor();
    // It may have been told before the page was gone.
    for (const problem of ann.problems.splice(0)) assert.match(problem, UNLOADED);
  });

  test('let the page load again also if they are opened while they come ahead', async () => {
    const ann = await newcomer();
    const opened = Promise.withResolvers<void>();
    await ann.context.route(DIALOG, async (route) => {
      await opened.promise;
      await route.fulfill({ status: 404 });
    });
    const asked = ann.page.waitForRequest(DIALOG);
    await ann.logIn();
    await mark(ann.page);
    await asked;
    await openDialog(ann);
    opened.resolve();
    await reloaded(ann);
    for (const problem of ann.problems.splice(0)) assert.match(problem, UNLOADED);
  });

  test('do not take chosen files with them: the browser asks first, as long as there are some', async () => {
    const ann = await newcomer();
    const { page } = ann;
    const ben = { user: await place.server.user('Ben') };
    await befriend(ann, ben);
    await ann.context.route(DIALOG, (route) => route.fulfill({ status: 404 }));
    const missed = page.waitForResponse(DIALOG);
    await ann.logIn();
    await mark(page);
    await missed;
    await openChat(ann, ben.user.mid);
    const files = page.getByRole('list', { name: 'To be sent' }).getByRole('listitem');
    await page.getByLabel('Choose files').setInputFiles(textFile('plan.txt', 'a plan'));
    await files.waitFor();
    const asked = page.waitForEvent('dialog');
    await openDialog(ann);
    const question = await asked;
    assert.equal(question.type(), 'beforeunload');
    await question.dismiss();
    assert.ok(await isMarked(page));
    await page.getByRole('button', { name: 'Remove plan.txt' }).click();
    await files.waitFor({ state: 'detached' });
    const questions: string[] = [];
    page.on('dialog', (other) => {
      questions.push(other.type());
      void other.accept();
    });
    await page.reload();
    await reloaded(ann);
    assert.deepEqual(questions, []);
    for (const problem of ann.problems.splice(0)) assert.match(problem, UNLOADED);
  });
});
