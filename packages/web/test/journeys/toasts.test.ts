// Short messages of the page on a phone: they cover little, one after the other, and nothing that one presses most.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { createRpcClient } from '@sealpost/sdk';
import { befriend, type Person, sizes, skip, world } from '../browsers.ts';

const FRIENDS = 11;

describe('short messages on a phone', { skip }, () => {
  const place = world();
  let ann: Person;

  before(async () => {
    if (skip) return;
    ann = await place.person('Ann', { size: 'phone' });
    for (let number = 1; number <= FRIENDS; number++) {
      const user = await place.server.user(`Friend ${number}`);
      await befriend(ann, { user });
      const message = { to: ann.user.mid, contentType: contentTypes.NONE, text: `hello from ${number}` };
      await user.client.TalkService.sendMessage(user.client.nextReqSeq(), message);
    }
    await ann.logIn();
    await ann.page.getByText(`hello from ${FRIENDS}`, { exact: true }).waitFor();
    await ann.page.getByRole('button', { name: 'Later' }).click();
  });

  const shown = () => ann.page.getByRole('region', { name: 'Messages of the page' }).getByRole('paragraph');
  const withText = (text: string) => shown().filter({ hasText: text });
  const tryPassword = (password: string): Promise<unknown> =>
    createRpcClient({ url: place.server.url }).login({ identifier: ann.user.userid, password });

  /** Returns the names of the links that a press in their middle does not reach. */
  const covered = (links: string): Promise<string[]> =>
    ann.page.evaluate((chosen) => {
      const all = [...document.querySelectorAll(chosen)].filter((link) => link.checkVisibility());
      return all.flatMap((link) => {
        const { x, y, width, height } = link.getBoundingClientRect();
        if (y + height > innerHeight) return [];
        const top = document.elementFromPoint(x + width / 2, y + height / 2);
        return link.contains(top) ? [] : [link.textContent ?? ''];
      });
    }, links);

  test('a newer one about the same takes the place of an earlier one', async () => {
    for (const password of ['one', 'two', 'three']) await assert.rejects(tryPassword(password));
    await withText('Somebody typed a wrong password of yours (3 today').waitFor();
    assert.equal(await shown().count(), 1);
  });

  test('there is one at a time, and the earlier one comes back', async () => {
    await tryPassword(ann.user.password);
    await withText('A device was let into your account').waitFor();
    assert.equal(await shown().count(), 1);
    await ann.page.getByRole('region', { name: 'Messages of the page' }).getByRole('button', { name: 'Close' }).click();
    await withText('Somebody typed a wrong password').waitFor();
    assert.equal(await shown().count(), 1);
  });

  test('it covers a row of the list at most, and no section', async () => {
    assert.ok((await covered('main a')).length <= 1, String(await covered('main a')));
    assert.deepEqual(await covered('nav a'), []);
    await ann.page.getByRole('link', { name: 'Contacts' }).click();
    await ann.page.getByRole('heading', { name: 'Contacts', exact: true }).waitFor();
  });

  test('the number of unread chats stands on one line', async () => {
    await ann.page.getByRole('link', { name: 'Chats' }).click();
    const number = ann.page.getByRole('navigation').getByText(String(FRIENDS), { exact: true });
    const lines = await number.evaluate(
      (part) => part.clientHeight / Number.parseFloat(getComputedStyle(part).fontSize),
    );
    assert.ok(lines < 1.5, `it has ${lines} lines`);
  });

  test('where there is more room, several stand together', async () => {
    await ann.page.setViewportSize(sizes.desktop);
    await assert.rejects(tryPassword('four'));
    await tryPassword(ann.user.password);
    await withText('A device was let into your account').waitFor();
    await withText('Somebody typed a wrong password of yours (4 today').waitFor();
  });
});
