// The daily work of an administrator: reports, invites, notices, packs and storage, in a real browser.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pngOf, zipOf } from '@sealpost/dev-env/packs';
import { until } from '@sealpost/dev-env/until';
import type { Page } from 'playwright-core';
import { skip } from '../browsers.ts';
import { hostileTexts } from '../hostile.ts';
import { administered } from './administered.ts';

const rowWith = (page: Page, text: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: text });
const toastWith = (page: Page, text: string) => page.getByLabel('Messages of the page').getByText(text);

describe('The daily work', { skip }, () => {
  const world = administered();

  test('a report is read, taken, given back, and closed with the account disabled', async () => {
    const { page, go, admin, server } = world;
    await go('#/reports');
    await page.getByText('No open reports').waitFor();
    const [reporter, mallory] = [await server.user('Reporter'), await server.user('Mallory')];
    const messages = Object.values(hostileTexts).slice(0, 8);
    await reporter.client.TalkService.reportAbuseEx({
      abuseReportEntry: {
        message: {
          ...{ reportSource: 1, spammerReasons: [5] },
          abuseMessages: messages.map((message, i) => ({
            ...{ messageId: String(i + 1), message, contentType: 0, createdTime: '1700000000000' },
          })),
          metadata: { userMid: mallory.mid, displayName: '<svg onload=__ran()>' },
        },
      },
    });
    await page.evaluate(() => Object.assign(globalThis, { __ran: () => Object.assign(globalThis, { ranOnce: true }) }));
    await go('#/home');
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await go('#/reports');
    await rowWith(page, 'A scam').click();
    await page.getByRole('heading', { name: 'Report', level: 1 }).waitFor();
    await page.getByText("<script>__ran('script')</script>").waitFor();
    assert.equal(await page.evaluate(() => 'ranOnce' in globalThis), false);
    const [report] = (await admin.listReports({ status: 'open' })).reports;
    const id = report?.id ?? '';
    await page.getByRole('button', { name: 'Take care of it' }).click();
    await page.getByRole('button', { name: 'Give it back' }).waitFor();
    assert.notEqual((await admin.showReport({ report: id })).assignedTo, undefined);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Take care of it' }).waitFor();
    assert.equal((await admin.showReport({ report: id })).assignedTo, undefined);
    await page.getByRole('button', { name: 'Disable the account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disable the reported account?' });
    await dialog.getByLabel('Note for the audit log').fill('sold seals');
    await dialog.getByRole('button', { name: 'Disable the account' }).click();
    await toastWith(page, 'The report is resolved.').waitFor();
    assert.equal((await admin.showAccount({ account: mallory.mid })).disabled, true);
    const [entry] = (await admin.listAudit({ action: 'report.resolve' })).entries;
    assert.deepEqual(entry?.detail, { report: id, action: 'disable-account', note: 'sold seals' });
    await page.getByRole('button', { name: 'Dismiss' }).waitFor({ state: 'detached' });
    await go('#/reports?status=resolved');
    await rowWith(page, 'A scam').waitFor();
  });

  test('an invite is made, shown as a code and a link, and revoked', async () => {
    const { page, go, admin } = world;
    await go('#/invites');
    await page.getByText('No invites yet').waitFor();
    await page.getByRole('button', { name: 'Invite people' }).click();
    const form = page.getByRole('dialog', { name: 'New invite' });
    await form.getByLabel('How many accounts').fill('3');
    await form.getByLabel('For whom').fill('The rowing club');
    await form.getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'The invite' });
    await shown.getByRole('img', { name: 'Code of the link' }).waitFor();
    const link = (await shown.locator('code').textContent()) ?? '';
    assert.ok(link.startsWith('http'), link);
    await shown.getByRole('button', { name: 'Close' }).click();
    await rowWith(page, 'The rowing club').getByText('0 of 3 used').waitFor();
    assert.equal((await page.content()).includes(link), false, 'the link is shown once');
    await rowWith(page, 'The rowing club').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await toastWith(page, 'The invite was revoked.').waitFor();
    assert.deepEqual(
      (await admin.listInvites()).invites.map(({ state, uses }) => [state, uses]),
      [['revoked', 3]],
    );
  });

  test('a notice is published and withdrawn', async () => {
    const { page, go, admin } = world;
    await go('#/notices');
    await page.getByText('No notices yet').waitFor();
    await page.getByRole('button', { name: 'Write a notice' }).click();
    const form = page.getByRole('dialog', { name: 'New notice' });
    await form.getByLabel('Title').fill('A pause tonight');
    await form.getByLabel('Text').fill('<b>We are back at ten.</b>');
    await form.getByLabel('For users of').selectOption({ label: '日本語' });
    await form.getByRole('button', { name: 'Publish' }).click();
    await rowWith(page, 'A pause tonight').getByText('<b>We are back at ten.</b>').waitFor();
    const [notice] = (await admin.listNotices()).notices;
    assert.deepEqual([notice?.title, notice?.language], ['A pause tonight', 'ja']);
    await page.getByRole('button', { name: 'Withdraw A pause tonight' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await rowWith(page, 'A pause tonight').getByText('withdrawn').waitFor();
    assert.notEqual((await admin.listNotices()).notices[0]?.withdrawnTime, undefined);
  });

  test('what was done elsewhere, or without an answer, is seen after the failure', async () => {
    const { page, go, admin } = world;
    const { id } = await admin.publishNotice({ title: 'Done elsewhere', body: 'A text' });
    await go('#/home');
    await go('#/notices');
    const elsewhere = rowWith(page, 'Done elsewhere');
    await elsewhere.waitFor();
    await admin.withdrawNotice({ notice: id });
    await page.getByRole('button', { name: 'Withdraw Done elsewhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await toastWith(page, 'That did not work').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await elsewhere.getByText('withdrawn').waitFor();

    await page.route('**/api/admin/v1/notices', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'Write a notice' }).click();
    const form = page.getByRole('dialog', { name: 'New notice' });
    await form.getByLabel('Title').fill('Published unheard');
    await form.getByLabel('Text').fill('A text');
    await form.getByRole('button', { name: 'Publish' }).click();
    await toastWith(page, 'The server did not answer, but this may have been done.').waitFor();
    await page.getByText('Published unheard').waitFor();
    await page.unroute('**/api/admin/v1/notices');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await rowWith(page, 'Published unheard').waitFor();

    for (let more = 0; more < 60; more++) await admin.publishNotice({ title: `One of many ${more}`, body: 'A text' });
    await page.reload();
    const showMore = page.getByRole('button', { name: 'Show more' });
    await page.route('**/api/admin/v1/notices?cursor=*', (route) => route.abort());
    await showMore.click();
    await page.getByRole('alert').getByText('The server does not answer.').waitFor();
    await page.unrouteAll();
    await showMore.click();
    await rowWith(page, 'Published unheard').waitFor();

    // Without any answer, the list stays as it was, and tells why.
    await page.route('**/api/admin/v1/notices*', (route) => route.abort());
    await page.route('**/api/admin/v1/notices/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Withdraw Published unheard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The server does not answer.').waitFor();
    await page.unrouteAll();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await rowWith(page, 'Published unheard').waitFor();
  });

  test('a pack is added, given to everyone, taken back, and given to one', async () => {
    const { page, go, admin, server } = world;
    const drinker = await server.user('Drinker');
    const described = { name: 'Tea', author: 'A test', kind: 'stickers', pictures: [{ file: 'a.png', text: '[a]' }] };
    const content = await zipOf({ 'pack.json': Buffer.from(JSON.stringify(described)), 'a.png': pngOf('a') });
    await go('#/packs');
    const zip = page.getByLabel('Zip file of a pack');
    await zip.setInputFiles({ name: 'no.zip', mimeType: 'application/zip', buffer: Buffer.from('not a zip') });
    await toastWith(page, 'That did not work').waitFor();
    await page.evaluate(() => {
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = () => {
        Blob.prototype.arrayBuffer = arrayBuffer;
        return Promise.reject(new DOMException('gone', 'NotReadableError'));
      };
    });
    await zip.setInputFiles({ name: 'gone.zip', mimeType: 'application/zip', buffer: Buffer.from('gone') });
    await toastWith(page, 'The browser cannot read this file.').waitFor();
    await until(async () => (await zip.inputValue()) === '', 'the same file can be chosen again');
    await zip.setInputFiles({ name: 'tea.zip', mimeType: 'application/zip', buffer: Buffer.from(content) });
    const row = rowWith(page, 'Tea').filter({ hasText: 'A test' });
    await row.getByRole('button', { name: 'Give to everyone' }).click();
    await row.getByText('for everyone').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await row.getByRole('button', { name: 'Give to everyone' }).waitFor();
    const tea = async () => (await admin.listProducts()).products.find(({ name }) => name === 'Tea');
    assert.equal((await tea())?.everyone, false);
    await row.getByRole('button', { name: 'Give to a person' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tea' });
    await dialog.getByLabel('User id or mid').fill('nobody');
    await dialog.getByRole('button', { name: 'Give', exact: true }).click();
    await toastWith(page, 'No account has this user id or mid.').waitFor();
    await dialog.getByLabel('User id or mid').fill(drinker.userid);
    await dialog.getByRole('button', { name: 'Give', exact: true }).click();
    await toastWith(page, `${drinker.userid} has Tea now.`).waitFor();
    const [entry] = (await admin.listAudit({ action: 'product.grant', limit: 1 })).entries;
    assert.deepEqual(entry?.detail, { name: 'Tea', account: drinker.mid });
  });

  test('storage shows the disk, and who has sent the most media', async () => {
    const { page, go } = world;
    await go('#/storage');
    await page.getByText('are free on the fullest disk of this server').waitFor();
    await page.getByText('Nobody has sent media yet').waitFor();
  });
});
