// Every screen of the inspector in both themes and sizes, without a finding of axe; and the way through it with Tab.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { sizes, skip } from '../browsers.ts';
import { inspected } from './inspected.ts';
import { clientOf, sealer, sendSealed } from './traffic.ts';

async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as typeof globalThis & { axe: typeof axeCore };
    const { violations } = await axe.run(document, { iframes: false, preload: false, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
  });
}

/** Looks at what the page shows now in both sizes and themes. */
async function assertClean(page: Page, what: string): Promise<void> {
  const found: string[] = [];
  for (const size of ['phone', 'desktop'] as const) {
    await page.setViewportSize(sizes[size]);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await findings(page)).map((finding) => `${what}, ${size}, ${colorScheme}: ${finding}`));
    }
  }
  assert.deepEqual(found, []);
}

describe('axe finds nothing in the inspector', { skip }, () => {
  const bench = inspected();

  test('before the first call', () => assertClean(bench.page, 'no calls'));

  test('in the calls, and in one that was refused', async () => {
    const { page, server } = bench;
    server.fault({ match: { account: 'cara' }, answer: { error: 'NOT_FOUND' } });
    const [ann, ben] = [await sealer(server, 'ann'), await sealer(server, 'ben')];
    await sendSealed(ann, ben, 'Hello');
    const cara = await clientOf(server, 'cara');
    await cara.TalkService.getProfile(0).catch(() => undefined);
    await fetch(`${server.url}/api/talk/thrift/Talk/TalkService/getProfile`, {
      method: 'POST',
      headers: { 'x-hmac': 'AAAA', 'content-type': 'application/json' },
      body: '[0]',
    });
    await page.getByRole('option').filter({ hasText: 'REQUEST_INVALID_HMAC' }).waitFor();
    await assertClean(page, 'the calls');
    for (const text of ['REQUEST_INVALID_HMAC', 'fault 1', 'sendMessage']) {
      await page.setViewportSize(sizes.desktop);
      await page.getByRole('option').filter({ hasText: text }).click();
      await page.getByRole('heading', { name: 'What it wrote' }).waitFor();
      await assertClean(page, `the call with ${text}`);
    }
    await page.getByRole('button', { name: 'Edit and resend' }).click();
    await page.getByRole('dialog').waitFor();
    await assertClean(page, 'the form of an edited call');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('in the operations, the server and the lab', async () => {
    const { page } = bench;
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('combobox', { name: 'Log of' }).selectOption({ label: 'Log of ben' });
    await page.getByRole('option').filter({ hasText: 'RECEIVE_MESSAGE' }).click();
    await assertClean(page, 'the operations');
    await page.getByRole('link', { name: 'Server' }).click();
    await page.getByRole('listitem').filter({ hasText: 'NOT_FOUND' }).waitFor();
    await assertClean(page, 'the server');
    await page.getByRole('link', { name: 'Sealing lab' }).click();
    await page.getByRole('img', { name: /Ann negotiates/ }).waitFor();
    for (const fold of ['Pick one from', 'Take it from', 'Unwrap a group key'])
      await page.getByText(fold, { exact: false }).first().click();
    await page.getByRole('textbox', { name: 'Sealed message' }).fill('["AA=="]');
    await page.getByRole('textbox', { name: 'Private key', exact: true }).fill('0'.repeat(64));
    await page.getByRole('button', { name: 'Open it' }).click();
    await page.getByRole('img', { name: 'failed' }).waitFor();
    await assertClean(page, 'the lab');
  });

  test('Tab reaches everything that can be pressed, and the focus is seen', async () => {
    const { page } = bench;
    for (const screen of ['Calls', 'Server', 'Sealing lab']) {
      const link = page.getByRole('link', { name: screen });
      await link.click();
      // Until then, the controls are those of the screen before.
      await link.and(page.locator('[aria-current=page]')).waitFor();
      await page.getByRole('main').locator('button, input, textarea').first().waitFor();
      const wanted = await page.locator('main :is(button, input, textarea, select):visible:not(:disabled)').count();
      const reached = new Set<string>();
      await page.getByRole('link', { name: 'Sealing lab' }).focus();
      for (let presses = 0; presses < 150; presses++) {
        await page.keyboard.press('Tab');
        const focus = await page.evaluate(() => {
          const { activeElement: element } = document;
          if (!element?.closest('main')) return undefined;
          const all = [...document.querySelectorAll('main :is(button, input, textarea, select)')];
          const { outlineStyle } = getComputedStyle(element);
          return { at: String(all.indexOf(element)), isSeen: outlineStyle !== 'none' };
        });
        if (focus === undefined && reached.size > 0) break;
        if (focus === undefined) continue;
        assert.ok(focus.isSeen, `${screen}: the focus on control ${focus.at} is not seen`);
        if (focus.at !== '-1') reached.add(focus.at);
      }
      assert.equal(reached.size, wanted, screen);
    }
  });
});
