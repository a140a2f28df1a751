// The clock, the faults and the saved states, as the inspector shows and changes them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '@sealpost/sdk';
import { skip } from '../browsers.ts';
import { inspected } from './inspected.ts';
import { clientOf } from './traffic.ts';

describe('the inspector changes the server', { skip }, () => {
  const bench = inspected();

  test('a fault is added with the form, changes calls, and ends', async () => {
    const { page, server } = bench;
    await page.getByRole('link', { name: 'Server' }).click();
    const form = page.getByRole('form', { name: 'New fault' });
    await form.getByRole('combobox', { name: 'Error' }).selectOption('NOT_FOUND');
    await form.getByRole('textbox', { name: 'Reason' }).fill('on purpose');
    await form.getByRole('textbox', { name: 'Method' }).fill('getProf*');
    await form.getByRole('combobox', { name: 'Account' }).selectOption('ann');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    const item = page.getByRole('list', { name: 'Faults' }).getByRole('listitem');
    await item.filter({ hasText: 'answers NOT_FOUND' }).filter({ hasText: 'getProf* of ann' }).waitFor();
    const [ann, ben] = [await clientOf(server, 'ann'), await clientOf(server, 'ben')];
    await assert.rejects(
      ann.TalkService.getProfile(0),
      (error) => error instanceof GatewayError && error.message.includes('on purpose'),
    );
    await ben.TalkService.getProfile(0);
    await item.filter({ hasText: 'changed 1 call' }).waitFor();
    await page.getByRole('button', { name: 'End fault 1' }).click();
    await page.getByText('Nothing goes wrong on purpose.').waitFor();
    await ann.TalkService.getProfile(0);
    assert.deepEqual(server.faults, []);
  });

  test('a fault that only waits, for some calls', async () => {
    const { page, server } = bench;
    const form = page.getByRole('form', { name: 'New fault' });
    await form.getByRole('combobox', { name: 'What goes wrong' }).selectOption({ label: 'Only wait' });
    await form.getByRole('textbox', { name: 'Delay' }).fill('5');
    await form.getByRole('textbox', { name: 'Percent of the calls' }).fill('50');
    await form.getByRole('textbox', { name: 'Times' }).fill('2');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await page.getByRole('listitem').filter({ hasText: 'waits 5 ms' }).waitFor();
    const [fault] = server.faults;
    assert.deepEqual(fault?.rule, {
      match: { method: 'getProf*', account: 'ann' },
      ...{ delay: 5, rate: 0.5, times: 2 },
    });
    server.clearFaults();
    await page.getByText('Nothing goes wrong on purpose.').waitFor();
  });

  test('the clock is moved', async () => {
    const { page, server } = bench;
    const before = server.clock.now();
    await page.getByRole('button', { name: '25 hours' }).click();
    await page.getByRole('link', { name: /^2030-01-02 01:00/ }).waitFor();
    assert.equal(server.clock.now() - before, 25 * 3_600_000);
    await page.getByRole('textbox', { name: 'Move by' }).fill('90s');
    await page.getByRole('button', { name: 'Advance' }).click();
    await page.getByRole('link', { name: /^2030-01-02 01:01:3/ }).waitFor();
  });

  test('a state is saved, and the server goes back to it', async () => {
    const { page, server } = bench;
    await page.getByRole('textbox', { name: 'Save as' }).fill('with-two');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const saved = page.getByRole('list', { name: 'Universes' }).getByRole('listitem').filter({ hasText: 'with-two' });
    await saved.waitFor();
    const saidBefore = await server.operations('ann');
    await server.trigger({ account: 'ann', event: 'message', from: 'ben', text: 'to be forgotten' });
    await server.waitFor('ann', 'RECEIVE_MESSAGE');
    await page.getByRole('button', { name: 'Reset to with-two' }).click();
    await page.getByText('The server is back at with-two.').waitFor();
    assert.deepEqual(await server.operations('ann'), saidBefore);
    await page.getByText('Live', { exact: true }).waitFor();
    const ann = await clientOf(server, 'ann');
    await ann.TalkService.getProfile(0);
    await page.getByRole('link', { name: 'Calls' }).click();
    await page.getByRole('option').filter({ hasText: 'getProfile' }).waitFor();
  });
});
