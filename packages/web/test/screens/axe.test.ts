// Every screen, in light and dark, on a desktop and on a phone, without a finding of axe.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { befriend, openChat, type Person, skip, world, write } from '../browsers.ts';

interface Screen {
  readonly name: string;
  /** The address behind the #. */
  readonly path: (friend: Person) => string;
}

const screens: readonly Screen[] = [
  { name: 'the list of chats', path: () => '/' },
  { name: 'a conversation', path: ({ user }) => `/chats/${user.mid}` },
  { name: 'the contacts', path: () => '/contacts' },
  { name: 'a contact', path: ({ user }) => `/contacts/${user.mid}` },
  { name: 'the settings', path: () => '/settings' },
  { name: 'a page of settings', path: () => '/settings/appearance' },
];

/** Returns what axe found: the rule, and the elements that break it. */
async function findings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

for (const size of ['desktop', 'phone'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    describe(`axe, ${colorScheme}, ${size}`, { skip }, () => {
      const place = world();
      let ann: Person;
      let ben: Person;
      before(async () => {
        ann = await place.person('Ann', { size, colorScheme });
        ben = await place.loggedIn('Ben');
        await befriend(ann, ben);
      });

      test('the login', async () => {
        await ann.page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
        assert.deepEqual(await findings(ann.page), []);
      });

      test('the chats have something to show', async () => {
        await ann.logIn();
        await openChat(ann, ben.user.mid);
        await write(ann, 'a message with https://example.org/');
        await openChat(ben, ann.user.mid);
        await write(ben, 'an answer');
        await ann.page.getByText('an answer').first().waitFor();
      });

      for (const { name, path } of screens) {
        test(name, async () => {
          await ann.page.evaluate((hash) => {
            location.hash = hash;
          }, path(ben));
          await ann.page.locator('section:visible').first().waitFor();
          await ann.page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
          assert.deepEqual(await findings(ann.page), []);
        });
      }
    });
  }
}
