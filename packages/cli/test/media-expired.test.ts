import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '@sealpost/dev-env/command';
import { startServer } from '@sealpost/dev-env/server-process';

test('what a number of days would remove is counted, and a wrong number refused', async () => {
  const server = await startServer();
  const env = { ...server.env, SEALPOST_URL: server.url };
  const { code, out } = await run(env, ['media', 'expired', '--days', '30', '--json']);
  assert.deepEqual([code, JSON.parse(out)], [0, { days: 30, objects: 0, bytes: 0 }]);
  assert.match(
    (await run(env, ['media', 'expired', '--days', '7'])).out,
    /^0 objects with 0 bytes .* Nothing was removed/,
  );
  for (const days of ['0', '-1', 'x', '1.5']) {
    const refused = await run(env, ['media', 'expired', `--days=${days}`]);
    assert.equal(refused.code, 2, refused.err);
  }
  await server.dispose();
});
