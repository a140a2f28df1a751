// Reading: where a chat opens, what moves and what does not, and what is marked as read.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '@sealpost/dev-env/until';
import { befriend, messageWith, openChat, type Person, skip, world, write } from '../browsers.ts';

describe('reading', { skip }, () => {
  const place = world();
  let ann: Person;
  let ben: Person;
  const MANY = 170;

  const log = ({ page }: Person) => page.getByRole('log', { name: 'Messages' });
  const toEnd = ({ page }: Person) => page.getByRole('button', { name: 'To the newest message' });
  const topOf = async (person: Person, text: string): Promise<number> =>
    (await messageWith(person, text).boundingBox())?.y ?? Number.NaN;

  /** Writes many texts at once, as the page itself asks its engine for it. */
  async function say({ page }: Person, to: Person, texts: readonly string[]): Promise<void> {
    await page.evaluate(
      ([mid, all]) => {
        const line = new BroadcastChannel('sealpost');
        for (const text of all)
          line.postMessage({ kind: 'call', page: 'test', id: 0, path: 'messaging.queueText', args: [mid, text] });
        line.close();
      },
      [to.user.mid, texts] as const,
    );
  }
  const numbered = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, index) => `message ${from + index}.`);

  test('a chat that is shorter than the view stands at its lower edge', async () => {
    ann = await place.loggedIn('Ann');
    ben = await place.loggedIn('Ben');
    await befriend(ann, ben);
    await openChat(ben, ann.user.mid);
    await openChat(ann, ben.user.mid);
    await write(ann, 'hello');
    await messageWith(ann, 'hello').waitFor();
    await until(async () => {
      const view = await log(ann).boundingBox();
      const bubble = await messageWith(ann, 'hello').boundingBox();
      return view !== null && bubble !== null && view.y + view.height - (bubble.y + bubble.height) < 60;
    }, 'the message stands at the lower edge');
  });

  test('a long chat opens at the line above the first unread message, which goes when one comes back', async () => {
    await ann.page.getByRole('link', { name: 'Contacts' }).click();
    await say(ben, ann, numbered(1, MANY));
    await ann.page.getByRole('link', { name: /1 chat with unread/ }).click();
    await ann.page.getByText(`message ${MANY}.`).waitFor();
    await openChat(ann, ben.user.mid);
    await log(ann).getByText('New messages').waitFor();
    await messageWith(ann, 'message 1.').waitFor();
    await toEnd(ann).click();
    await messageWith(ben, `message ${MANY}.`).getByRole('img', { name: 'Read' }).waitFor();
    await ann.page.getByRole('link', { name: 'Contacts' }).click();
    await say(ben, ann, ['one more']);
    await ann.page.getByRole('link', { name: /1 chat with unread/ }).click();
    await openChat(ann, ben.user.mid);
    await log(ann).getByText('New messages').waitFor();
    await messageWith(ann, 'one more').waitFor();
    await messageWith(ben, 'one more').getByRole('img', { name: 'Read' }).waitFor();
    await ann.page.getByRole('link', { name: 'Contacts' }).click();
    await ann.page.getByRole('link', { name: /Chats$/ }).click();
    await openChat(ann, ben.user.mid);
    await messageWith(ann, 'one more').waitFor();
    assert.equal(await log(ann).getByText('New messages').count(), 0);
  });

  test('older messages are put above without moving what one reads', async () => {
    await ann.page.reload();
    await messageWith(ann, 'one more').waitFor();
    // Slowly towards the top, as a wheel does, until a message that was not loaded at first is near.
    const shifts = await log(ann).evaluate(async (scroller) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const shown = () => {
        const view = scroller.getBoundingClientRect();
        return [...scroller.querySelectorAll('article')].find(
          (row) => row.getBoundingClientRect().top > view.top + view.height / 2,
        );
      };
      // Rows that came into view stand at estimated places until they are measured.
      const isMeasured = () => {
        const rows = [...scroller.querySelectorAll('[data-index]')].map((row) => row.getBoundingClientRect());
        return rows.every(({ top }, index) => index === 0 || Math.abs(top - (rows[index - 1]?.bottom ?? 0)) < 2);
      };
      // Older messages come while one waits below, and not already while the rows are measured.
      const post = BroadcastChannel.prototype.postMessage;
      BroadcastChannel.prototype.postMessage = function late(said: { path?: string }) {
        setTimeout(() => post.call(this, said), said.path === 'replica.messages' ? 300 : 0);
      };
      const shifts: number[] = [];
      for (let step = 0; step < 100 && shifts.length < 2; step++) {
        scroller.scrollBy(0, -150);
        do await frame();
        while (!isMeasured());
        const row = shown();
        const before = row?.getBoundingClientRect().top ?? 0;
        const height = scroller.scrollHeight;
        // Nobody scrolls during these frames: what moves now is moved by the page.
        for (let wait = 0; wait < 30; wait++) await frame();
        if (scroller.scrollHeight > height + 1_000 && row?.isConnected)
          shifts.push(row.getBoundingClientRect().top - before);
      }
      BroadcastChannel.prototype.postMessage = post;
      return shifts;
    });
    assert.ok(shifts.length > 0, 'no older messages were loaded');
    for (const shift of shifts) assert.equal(Math.round(shift), 0);
  });

  test('what comes in while one reads above moves nothing, and is counted at the button to the end', async () => {
    const row = log(ann).getByRole('article').nth(8);
    const text = (await row.locator('p').first().innerText()).trim();
    const before = await topOf(ann, text);
    await say(ben, ann, ['from below one', 'from below two']);
    await ann.page.getByText('2 new messages').waitFor({ state: 'attached' });
    assert.equal(await topOf(ann, text), before);
    await toEnd(ann).click();
    await messageWith(ann, 'from below two').waitFor();
    await toEnd(ann).waitFor({ state: 'detached' });
  });

  test('what one writes while reading above is shown', async () => {
    await log(ann).hover();
    await ann.page.mouse.wheel(0, -3_000);
    await toEnd(ann).waitFor();
    await write(ann, 'written from above');
    await messageWith(ann, 'written from above').waitFor();
    await toEnd(ann).waitFor({ state: 'detached' });
  });

  test('it is shown on a slow page too, which hears of it only after it was sent', async () => {
    await ann.page.evaluate(() => {
      const { requestAnimationFrame } = window;
      Object.assign(window, {
        requestAnimationFrame: (run: FrameRequestCallback) => setTimeout(() => requestAnimationFrame(run), 500),
        restoreFrames: () => Object.assign(window, { requestAnimationFrame }),
      });
    });
    await log(ann).hover();
    await ann.page.mouse.wheel(0, -3_000);
    await toEnd(ann).waitFor();
    await write(ann, 'written slowly');
    await messageWith(ann, 'written slowly').waitFor();
    await ann.page.evaluate(() => (window as unknown as { restoreFrames(): void }).restoreFrames());
    await toEnd(ann).waitFor({ state: 'detached' });
  });

  test('only a window with the focus marks messages as read', async () => {
    const second: Person = { ...ben, page: await ben.tab() };
    await openChat(ben, ann.user.mid);
    const look = (focused: boolean) => (page: Person) =>
      page.page.evaluate((has) => {
        document.hasFocus = () => has;
        dispatchEvent(new Event(has ? 'focus' : 'blur'));
      }, focused);
    await look(false)(ben);
    await openChat(second, ann.user.mid);
    await look(false)(second);
    await write(ann, 'who looks?');
    await messageWith(second, 'who looks?').waitFor();
    await messageWith(ben, 'who looks?').waitFor();
    // A message that comes later and is shown in both windows proves that there was time to mark the first one.
    await write(ann, 'still nobody?');
    await messageWith(second, 'still nobody?').waitFor();
    await messageWith(ann, 'still nobody?').getByRole('img', { name: 'Sent' }).waitFor();
    assert.equal(await messageWith(ann, 'who looks?').getByRole('img', { name: 'Sent' }).count(), 1);
    await look(true)(second);
    await messageWith(ann, 'still nobody?').getByRole('img', { name: 'Read' }).waitFor();
  });

  test('the end stays in view when the view becomes smaller', async () => {
    await openChat(ann, ben.user.mid);
    await write(ann, 'the last line');
    const hidden = () =>
      log(ann).evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
        Math.round(scrollHeight - scrollTop - clientHeight),
      );
    await messageWith(ann, 'the last line')
      .getByRole('img', { name: /Sent|Read/ })
      .waitFor();
    assert.equal(await hidden(), 0);
    place.network.down(true);
    await ann.page.getByText('Not connected.').waitFor();
    await ann.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    assert.equal(await hidden(), 0);
    place.network.down(false);
  });
});
