// Texts that are written from right to left, on a page in English.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { befriend, messageWith, openChat, skip, world, write } from '../browsers.ts';

/** An Arabic text with an English word at its end, which is longer than a line. */
const TEXT = `سطر طويل من النص العربي لكي نرى كيف يظهر في القائمة وفي الفقاعة ${'كلمة '.repeat(60)}end`;

/** Returns the first element in which a text node has this beginning. */
const begins = (where: Locator): Locator => where.getByText(TEXT.slice(0, 20)).last();

/** Returns where the first word of a text is drawn, and the box that shows it. */
const firstWord = (text: Locator) =>
  text.evaluate((element) => {
    const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    if (!node) throw new Error('there is no text');
    const range = document.createRange();
    range.setStart(node, 0);
    range.setEnd(node, 3);
    const box = element.closest('p') ?? element;
    const [word, around] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    return { fromRight: Math.round(around.right - word.right), fromLeft: Math.round(word.left - around.left) };
  });

/** Fails unless the text begins at the right of its box. */
async function assertBeginsRight(text: Locator, what: string): Promise<void> {
  await text.waitFor();
  const { fromRight, fromLeft } = await firstWord(text);
  assert.ok(
    Math.abs(fromRight) <= 2 && fromLeft > 0,
    `${what}: ${fromRight} from the right, ${fromLeft} from the left`,
  );
}

describe('texts from right to left', { skip }, () => {
  const place = world();

  test('begin at the right, in the message, in a quote, and in the list of chats, where their end is cut', async () => {
    const ann = await place.person('Ann');
    const ben = { user: await place.server.user('Ben') };
    await befriend(ann, ben);
    await ann.logIn();
    const { page } = ann;
    await openChat(ann, ben.user.mid);
    await write(ann, TEXT);
    const message = messageWith(ann, TEXT.slice(0, 20)).first();
    await message.getByLabel('Sent', { exact: true }).waitFor();
    await assertBeginsRight(begins(message), 'the message');
    const last = await message.locator('p').evaluate((p) => {
      const range = document.createRange();
      range.selectNodeContents(p);
      const lines = [...range.getClientRects()];
      return Math.round(p.getBoundingClientRect().right - (lines.at(-1)?.right ?? 0));
    });
    assert.ok(last <= 2, `the last line is ${last} from the right`);
    await assertBeginsRight(begins(page.getByRole('link', { name: /Ben/ })), 'the list');
    await message.hover();
    await message.getByRole('button', { name: 'Reply' }).click();
    await assertBeginsRight(begins(page.getByRole('main').locator('blockquote')), 'the line of the reply');
    await write(ann, 'an answer');
    await assertBeginsRight(begins(messageWith(ann, 'an answer').locator('blockquote')), 'the quote');
  });
});
