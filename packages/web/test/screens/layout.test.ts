// Layouts that few people test by hand: large text, languages that are written from right to left and are longer than
// English, and pages without movement.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { operator } from '@sealpost/dev-env/people';
import { until } from '@sealpost/dev-env/until';
import type { Page } from 'playwright-core';
import { skip, world } from '../browsers.ts';
import { closeOver, createScene, openOver, overlays, type Scene, screens, show } from './surfaces.ts';

/** Returns what does not fit: parts that reach out of the view at a side, texts that are cut, a page that scrolls. */
const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const told = (element: Element): string => `${element.tagName} ${element.outerHTML.slice(0, 160)}`;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page is ${scrollWidth} wide, its window ${innerWidth}`);
    const parts = 'button, a, input, select, textarea, summary, h1, h2, h3, p, label, li, dd, td, legend';
    for (const element of document.querySelectorAll<HTMLElement>(parts)) {
      if (
        !element.checkVisibility({ visibilityProperty: true }) ||
        element.closest('.visually-hidden, [aria-hidden=true]')
      )
        continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 1 && (left < -1 || right > innerWidth + 1)) found.push(`out of view: ${told(element)}`);
      const { textOverflow, overflowX } = getComputedStyle(element);
      const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
      if (isCut && overflowX === 'hidden' && textOverflow !== 'ellipsis') found.push(`cut: ${told(element)}`);
    }
    for (const pane of document.querySelectorAll<HTMLElement>(
      'main, main section, [role=log], [role=dialog], [role=menu]',
    ))
      if (pane.checkVisibility() && pane.clientWidth > 1 && pane.scrollWidth > pane.clientWidth + 1)
        found.push(`scrolls sideways: ${told(pane)}`);
    return found;
  });

/** Returns the buttons and fields that no scrolling brings into view. */
const unreachable = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, a, input, textarea, select)')].flatMap((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.matches('[type=file]')) return [];
      element.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      const { top, bottom, height } = element.getBoundingClientRect();
      const isInView = height === 0 || (top < innerHeight - 1 && bottom > 1);
      return isInView ? [] : [element.outerHTML.slice(0, 160)];
    }),
  );

/** Returns what does not fit, with the name of the screen that has it. */
async function faults(page: Page, what: string): Promise<string[]> {
  return [...(await misfits(page)), ...(await unreachable(page))].map((misfit) => `${what}: ${misfit}`);
}

/** Fails with what does not fit, also when the page had time to find its place. */
async function assertFits(page: Page, what: string): Promise<void> {
  let found: string[] = [];
  const fits = async (): Promise<boolean> => {
    found = await faults(page, what);
    return found.length === 0;
  };
  await until(fits, what).catch(() => {});
  assert.deepEqual(found, []);
}

describe('at a zoom of 200 %', { skip }, () => {
  const place = world();
  let scene: Scene;
  before(async () => {
    if (skip) return;
    scene = await createScene(place, { deviceScaleFactor: 2, reducedMotion: 'reduce' });
  });

  test('what does not fit is found', async () => {
    const { page } = scene.ann;
    await show(page, '/contacts');
    await page.evaluate(() => {
      const wide = document.createElement('p');
      Object.assign(wide, { id: 'wide', textContent: 'wide' });
      wide.style.inlineSize = '3000px';
      document.querySelector('main section')?.append(wide);
    });
    const found = (await misfits(page)).join('\n');
    assert.match(found, /out of view: P [\s\S]*scrolls sideways: /);
    await page.locator('#wide').evaluate((wide) => wide.remove());
    assert.deepEqual(await misfits(page), []);
  });

  test('every screen fits, and all of it can be reached', async () => {
    const { page } = scene.ann;
    // What a window of 1280 x 800 becomes.
    await page.setViewportSize({ width: 640, height: 400 });
    const found: string[] = [];
    for (const [name, path] of screens) {
      await show(page, path(scene));
      found.push(...(await faults(page, name)));
    }
    assert.deepEqual(found, []);
  });

  for (const [file, ways] of Object.entries(overlays)) {
    test(`${file} fits`, async () => {
      const { page } = scene.ann;
      for (const open of ways) {
        // It is opened where everything is in view.
        await page.setViewportSize({ width: 1280, height: 800 });
        await openOver(scene, open);
        await page.setViewportSize({ width: 640, height: 400 });
        await assertFits(page, file);
        await closeOver(scene.ann);
      }
    });
  }
});

describe('from right to left, in a language with long words', { skip }, () => {
  const place = world();
  let scene: Scene;
  before(async () => {
    if (skip) return;
    scene = await createScene(place);
    await scene.ann.page.evaluate(() => localStorage.setItem('sealpost-language', 'pseudo'));
    await scene.ann.page.reload();
    // The end of each text has words of these letters.
    await scene.ann.page.locator('html[dir=rtl] nav').filter({ hasText: 'ẋẋ' }).waitFor();
  });

  for (const [size, viewport] of Object.entries({
    desktop: { width: 1280, height: 800 },
    tablet: { width: 768, height: 1024 },
    phone: { width: 390, height: 844 },
  })) {
    test(`every screen fits on a ${size}`, async () => {
      const { page } = scene.ann;
      await page.setViewportSize(viewport);
      const found: string[] = [];
      for (const [name, path] of screens) {
        await show(page, path(scene));
        found.push(...(await faults(page, name)));
      }
      assert.deepEqual(found, []);
    });
  }

  test('the list stands at the right of the conversation, and own messages at the left', async () => {
    const { page } = scene.ann;
    await page.setViewportSize({ width: 1280, height: 800 });
    await show(page, `/chats/${scene.ben.user.mid}`);
    const [nav, list, chat] = await Promise.all(
      ['nav', 'main section:has(ul)', 'main section:has([role=log])'].map((part) =>
        page.locator(part).first().boundingBox(),
      ),
    );
    assert.ok(nav && list && chat);
    assert.ok(chat.x + chat.width <= list.x + 1, JSON.stringify({ list, chat }));
    assert.ok(list.x + list.width <= nav.x + 1, JSON.stringify({ nav, list }));
    const bubble = (text: string) => page.locator('article', { hasText: text }).locator('[data-kind]').boundingBox();
    const [own, other] = await Promise.all([bubble('a message with'), bubble('an answer')]);
    assert.ok(own && other);
    const middle = chat.x + chat.width / 2;
    assert.ok(
      own.x + own.width / 2 < middle && other.x + other.width / 2 > middle,
      JSON.stringify({ own, other, chat }),
    );
  });
});

describe('the page of an invite', { skip }, () => {
  const place = world();

  test('fits with long words from right to left, on a phone and at a zoom of 200 %', async () => {
    const { page } = await place.person('Ann');
    const { code } = await operator(place.server).createInvite({ from: 'W'.repeat(60), name: 'Ann' });
    await page.evaluate(() => localStorage.setItem('sealpost-language', 'pseudo'));
    await page.goto('about:blank');
    await page.goto(`${place.network.url}/join#${code}`);
    await page.locator('html[dir=rtl] form button[type=submit]').click();
    await page.locator('[aria-invalid=true]').first().waitFor();
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 640, height: 400 },
    ]) {
      await page.setViewportSize(viewport);
      await assertFits(page, `the page of an invite, ${viewport.width} wide`);
    }
  });
});

describe('with reduced motion', { skip }, () => {
  const place = world();

  test('nothing moves, and without it something does', async () => {
    const scene = await createScene(place);
    const { page } = scene.ann;
    const moving = async (): Promise<number> => {
      await page.evaluate(() => {
        Reflect.set(window, 'moves', 0);
        const count = (): unknown => Reflect.set(window, 'moves', Number(Reflect.get(window, 'moves')) + 1);
        for (const name of ['transitionrun', 'animationstart']) addEventListener(name, count, { capture: true });
      });
      for (const part of ['overlays/new-chat-dialog', 'people/chat-menu', 'overlays/picker', 'overlays/viewer']) {
        for (const open of overlays[`chat/${part}.tsx`] ?? []) {
          await openOver(scene, open);
          await closeOver(scene.ann);
        }
      }
      return Number(await page.evaluate(() => Reflect.get(window, 'moves')));
    };
    assert.ok((await moving()) > 0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.equal(await moving(), 0);
  });
});
