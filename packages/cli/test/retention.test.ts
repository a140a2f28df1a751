// The command `retention`: it counts before it removes, asks, and removes through the admin API.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CommandResult, run } from '@sealpost/dev-env/command';
import { startServer } from '@sealpost/dev-env/server-process';

let server: Awaited<ReturnType<typeof startServer>>;
let env: Record<string, string>;
before(async () => {
  server = await startServer();
  env = { ...server.env, SEALPOST_URL: server.url };
});
after(() => server?.dispose());

const retention = (...args: string[]): Promise<CommandResult> => run(env, ['retention', ...args]);

test('without days it tells how long messages and media are kept', async () => {
  assert.match((await retention()).out, /^Messages are kept for ever, media as long as their messages\. --days counts/);
});

test('with days it counts and removes nothing', async () => {
  const { code, out } = await retention('--days', '30', '--json');
  const preview = JSON.parse(out);
  assert.deepEqual([code, preview.days, preview.messages, preview.ordered], [0, 30, 0, {}]);
  assert.match((await retention('--days', '30')).out, /0 messages and 0 objects with 0 B .* Nothing was removed\./);
  assert.match((await retention('--days', '7', '--media')).out, /^0 objects with 0 bytes .* Nothing was removed\./);
});

test('it removes only after a question or with --yes, and never without a number of days', async () => {
  const asked = await retention('--days', '30', '--run');
  assert.equal(asked.code, 2, asked.err);
  assert.match(asked.err, /remove with --yes/);
  assert.match((await retention('--run', '--yes')).err, /--run needs --days/);
  assert.deepEqual(JSON.parse((await retention('--days', '30', '--json')).out).ordered, {});
  const done = await retention('--days', '30', '--run', '--yes');
  assert.match(done.out, /^0 messages and 0 objects .* are removed from now on, in small steps\./);
  const { ordered } = JSON.parse((await retention('--days', '30', '--json')).out);
  assert.deepEqual(Object.keys(ordered), ['messages']);
  await retention('--days', '30', '--media', '--run', '--yes');
  assert.deepEqual(Object.keys(JSON.parse((await retention('--json')).out).ordered), ['messages', 'media']);
});

test('a wrong number of days is wrong usage', async () => {
  for (const days of ['0', '-1', 'x', '1.5', '36501']) {
    const refused = await retention(`--days=${days}`);
    assert.equal(refused.code, 2, refused.err);
  }
});
