// Two people talk: what one writes, the other sees, sealed; replies, reactions, unsending, read marks.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { befriend, messageWith, openChat, skip, world, write } from '../browsers.ts';

describe('two people talk', { skip }, () => {
  const place = world({ offline: true });

  test('a message is shown at once, arrives sealed, and is marked as read when it was seen', async () => {
    const ann = await place.person('Ann');
    await ann.page.getByLabel('User id, e-mail or phone').and(ann.page.locator(':focus')).waitFor();
    await ann.logIn();
    await ann.page.getByRole('heading', { name: 'Welcome' }).waitFor();
    const ben = await place.loggedIn('Ben', { size: 'phone' });
    await befriend(ann, ben);
    await openChat(ann, ben.user.mid);
    await ann.page.getByText('No messages yet. Say hello to Ben.').waitFor();
    await write(ann, 'hello Ben');
    await messageWith(ann, 'hello Ben').getByLabel('Sent', { exact: true }).waitFor();
    await ann.page.getByText('No messages yet').waitFor({ state: 'detached' });
    await ben.page.getByRole('link', { name: /Ann/ }).click();
    await messageWith(ben, 'hello Ben').waitFor();
    assert.equal(await messageWith(ben, 'hello Ben').getByLabel('Sealed', { exact: true }).count(), 1);
    await ben.page.bringToFront();
    await messageWith(ann, 'hello Ben').getByLabel('Read', { exact: true }).waitFor();
  });
});
