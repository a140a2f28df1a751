// Looks at a page with axe, which finds what people who use a screen reader or a keyboard would stumble over.
import axeCore, { type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Returns what axe found: the rule, and the elements that break it. Only colours differ between the themes. */
export async function findings(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme });
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source);
  const options: RunOptions = {
    // The page has no frames, and its styles are its own.
    iframes: false,
    preload: false,
    resultTypes: ['violations'],
    selectors: false,
    ...(theme === 'dark' && { runOnly: ['color-contrast'] }),
  };
  return page.evaluate(async (given) => {
    const { axe } = globalThis as typeof globalThis & { axe: typeof axeCore };
    const { violations } = await axe.run(document, given);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`));
  }, options);
}
