// The list of calls, and what one can do with a call.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type CallRecord, workbenchRoot } from '@sealpost/contract/workbench';
import { signRequest } from '@sealpost/crypto';
import type { Locator, Page } from 'playwright-core';
import { skip } from '../browsers.ts';
import { inspected } from './inspected.ts';
import { clientOf, midOf } from './traffic.ts';

const run = promisify(execFile);
const GET_PROFILE = '/api/talk/thrift/Talk/TalkService/getProfile';

const rows = (page: Page): Locator => page.getByRole('listbox', { name: 'List of calls' }).getByRole('option');
const rowWith = (page: Page, text: string): Locator => rows(page).filter({ hasText: text });
const chosen = (page: Page): Locator => page.getByRole('region', { name: 'The chosen call' });

async function showAll(page: Page): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/inspect#/calls`);
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
}

/** Returns what the page last put into the clipboard. */
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

describe('the inspector shows calls', { skip }, () => {
  const bench = inspected();

  test('those that come while it is open, at once, and those from before after a reload', async () => {
    const { page, server } = bench;
    await page.getByText('Waiting for the first call').waitFor();
    const ann = await clientOf(server, 'ann');
    await ann.TalkService.getProfile(0);
    await rowWith(page, 'TalkService.getProfile').filter({ hasText: '200' }).filter({ hasText: 'ann' }).waitFor();
    await ann.TalkService.getContact(midOf(server, 'ben'));
    await rowWith(page, 'TalkService.getContact').waitFor();
    await showAll(page);
    assert.equal(await rows(page).count(), 2);
    assert.match((await rows(page).first().textContent()) ?? '', /getProfile/);
  });

  test('a call with arguments by name, its answer, and the accounts that it wrote to', async () => {
    const { page, server } = bench;
    const ann = await clientOf(server, 'ann');
    const to = midOf(server, 'ben');
    await ann.TalkService.sendMessage(ann.nextReqSeq(), { id: '', to, toType: 0, contentType: 0, text: 'Hello Ben' });
    await rowWith(page, 'sendMessage').filter({ hasText: '→ ann, ben' }).click();
    await chosen(page)
      .getByRole('region', { name: 'Argument message' })
      .filter({ hasText: '"text": "Hello Ben"' })
      .waitFor();
    await chosen(page).getByRole('region', { name: 'Answer', exact: true }).filter({ hasText: '"code": 0' }).waitFor();
    const wrote = chosen(page).getByRole('row', { name: /^ben .*RECEIVE_MESSAGE/ });
    await wrote.getByRole('link', { name: 'ben' }).click();
    const log = page.getByRole('listbox', { name: 'List of operations' });
    await log.getByRole('option').filter({ hasText: 'RECEIVE_MESSAGE' }).click();
    await page.getByRole('region', { name: 'Operation', exact: true }).filter({ hasText: 'Hello Ben' }).waitFor();
  });

  test('filters leave those that fit', async () => {
    const { page, server } = bench;
    server.fault({ match: { method: 'getContact', account: 'ben' }, answer: { error: 'OVERLOADED' }, times: 1 });
    const ben = await clientOf(server, 'ben');
    await ben.TalkService.getProfile(0);
    await assert.rejects(ben.TalkService.getContact(midOf(server, 'ann')));
    await showAll(page);
    const all = await rows(page).count();
    const left = async (count: number): Promise<string[]> => {
      // Filtering waits for a free moment of the page. Until then, the rows are those of the filter before.
      await page.getByText(new RegExp(`^${count} of ${all} calls`)).waitFor();
      return rows(page).allTextContents();
    };
    await page.getByRole('button', { name: 'Errors only' }).click();
    const wrong = await left(1);
    assert.equal(wrong.length, 1);
    assert.match(wrong[0] ?? '', /503.*getContact.*OVERLOADED.*fault 1.*ben/);
    await page.getByRole('button', { name: 'Errors only' }).click();
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'ben' });
    assert.equal((await left(2)).length, 2);
    await page.getByRole('combobox', { name: 'Method' }).fill('*Profile');
    assert.match((await left(1))[0] ?? '', /getProfile.*ben/);
    await page.getByRole('combobox', { name: 'Method' }).fill('');
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'All accounts' });
    await page.getByRole('searchbox', { name: 'Search calls' }).fill('overloaded fault');
    assert.equal((await left(1)).length, 1);
    await page.getByRole('searchbox', { name: 'Search calls' }).fill('nothing has this');
    await page.getByRole('button', { name: 'Show all calls' }).click();
    await rows(page)
      .nth(all - 1)
      .waitFor();
    assert.equal(await rows(page).count(), all);
  });

  test('a call sent again, edited: the page signs it anew', async () => {
    const { page, server } = bench;
    await showAll(page);
    await rowWith(page, 'sendMessage').first().click();
    await page.getByRole('button', { name: 'Edit and resend' }).click();
    const body = page.getByRole('dialog').getByRole('textbox', { name: 'Body' });
    const edited = (await body.inputValue()).replace('Hello Ben', 'Hello again').replace(/\d+/, '7654321');
    await body.fill(edited);
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await chosen(page).getByText('resent', { exact: false }).first().waitFor();
    await chosen(page).getByRole('region', { name: 'Argument message' }).filter({ hasText: 'Hello again' }).waitFor();
    const sent = await server.waitFor('ben', 'RECEIVE_MESSAGE', {
      where: ({ message }) => message?.text === 'Hello again',
    });
    assert.equal(sent.message?.from, midOf(server, 'ann'));
  });

  test('copied as curl, it is the same call', async () => {
    const { page, server } = bench;
    await showAll(page);
    const { accessToken } = await server.login('cara');
    const body = '[0]';
    const { buildToken } = server;
    const signature = await signRequest({ buildToken, version: '3.7.2', accessToken, path: GET_PROFILE, body });
    const headers = { 'content-type': 'application/json', 'x-svc-access': accessToken, 'x-hmac': signature };
    await fetch(server.url + GET_PROFILE, { method: 'POST', headers, body });
    await rowWith(page, 'cara').last().click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied: curl command').waitFor();
    const before = server.requests().length;
    const { stdout } = await run('sh', ['-c', `${await copied(page)} --silent`]);
    assert.equal(JSON.parse(stdout).data.mid, midOf(server, 'cara'));
    assert.equal(server.requests().length, before + 1);
    await page.getByRole('button', { name: 'Copy as SDK code' }).click();
    await page.getByText('Copied: SDK code').waitFor();
    assert.match(await copied(page), /client\.TalkService\.getProfile\(0\)/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as HAR' }).click(),
    ]);
    const har = JSON.parse(await readFile(await download.path(), 'utf8'));
    assert.equal(har.log.entries[0].request.url, server.url + GET_PROFILE);
  });

  test('a wrong signature with its cause, and the byte where it differs', async () => {
    const { page, server } = bench;
    await showAll(page);
    const { accessToken } = await server.login('cara');
    const { buildToken } = server;
    const [path, body] = [GET_PROFILE, '[0]'];
    const early = await signRequest({ buildToken, version: '3.7.2', accessToken: '', path, body });
    const headers = { 'content-type': 'application/json', 'x-svc-access': accessToken, 'x-hmac': early };
    await fetch(server.url + path, { method: 'POST', headers, body });
    await rowWith(page, 'REQUEST_INVALID_HMAC').last().click();
    await chosen(page).getByText('the request was signed without its access token').waitFor();
    await chosen(page)
      .getByText(/byte 1 of the access token differs/)
      .waitFor();
    const call = server.requests().at(-1) as CallRecord;
    const shown = (await (await fetch(`${server.url}${workbenchRoot}/requests/${call.id}`)).json()) as CallRecord;
    assert.equal(shown.signature?.given, early);
    assert.equal(
      shown.signature?.expected,
      await signRequest({ buildToken, version: '3.7.2', accessToken, path, body }),
    );
    await chosen(page).getByRole('definition').filter({ hasText: shown.signature?.expected }).waitFor();
  });

  test('by keyboard alone: the list, a call, and back', async () => {
    const { page } = bench;
    await showAll(page);
    const list = page.getByRole('listbox', { name: 'List of calls' });
    await list.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    const second = rows(page).and(page.locator('[aria-selected=true]'));
    assert.equal(await second.getAttribute('aria-posinset'), '2');
    assert.equal(await list.getAttribute('aria-activedescendant'), await second.getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.locator('section[aria-label="The chosen call"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await chosen(page).waitFor({ state: 'detached' });
    await page.locator('[role=listbox]:focus').waitFor();
  });
});

describe('the inspector with 10,000 calls', { skip }, () => {
  const bench = inspected();
  const MANY = 10_000;
  const WHILE_OPEN = 500;
  const AT_ONCE = 40;

  /** Sends calls that are refused, which is quick. */
  async function sendCalls(url: string, first: number, last: number): Promise<void> {
    let next = first;
    const send = async (): Promise<void> => {
      while (next <= last) {
        const path = `/api/talk/thrift/Talk/TalkService/getProfile?n=${next}`;
        next += 1;
        await (await fetch(url + path, { method: 'POST', body: '[0]' })).arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, send));
  }

  test('has only the rows in view, and reaches the others', async () => {
    const { page, server } = bench;
    await page.goto('about:blank');
    await sendCalls(server.url, 1, MANY - WHILE_OPEN);
    await page.goto(`${server.url}/inspect`);
    await page.getByText('9,500 calls, 9,500 with errors').waitFor();
    await sendCalls(server.url, MANY - WHILE_OPEN + 1, MANY);
    await page.getByText('10,000 calls, 10,000 with errors').waitFor();
    assert.ok((await rows(page).count()) < 60, `${await rows(page).count()} rows`);
    // It follows the newest.
    await page.locator(`[role=option][aria-posinset="${MANY}"]`).waitFor();
    assert.equal(await rows(page).first().getAttribute('aria-setsize'), String(MANY));
    await page.getByRole('listbox', { name: 'List of calls' }).focus();
    await page.keyboard.press('Home');
    await page.locator('[role=option][aria-posinset="1"][aria-selected=true]').waitFor();
    await page.keyboard.press('End');
    await page.locator(`[role=option][aria-posinset="${MANY}"][aria-selected=true]`).waitFor();
    assert.ok((await rows(page).count()) < 60, `${await rows(page).count()} rows`);
    await page.getByRole('searchbox', { name: 'Search calls' }).fill('n=7777');
    await page.getByText('1 of 10,000 calls').waitFor();
    assert.equal(await rows(page).count(), 1);
  });
});
