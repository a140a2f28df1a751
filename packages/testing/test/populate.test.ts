// A data folder gets its population once.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, systemPorts } from '@sealpost/sdk';
import { ConfigError, createServer, loadConfig } from '@sealpost/server';
import { populate } from '@sealpost/testing/population';
import { settleInDev } from '../src/population/in-dev.ts';

suite('the population of a data folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'sealpost-populate-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  const sourcesOf = (folder: string, more: Record<string, string> = {}) => ({
    flags: { 'data-dir': join(root, folder), port: '0', 'web-pages': 'none', 'log-level': 'error', ...more },
    env: {},
  });
  const small = { people: 3, messages: 30, years: 1, seed: 9 };
  const refused = (pattern: RegExp) => (error: unknown) => error instanceof ConfigError && pattern.test(error.message);

  test('is made at the first start, and found at the next', async () => {
    const sources = sourcesOf('new');
    const progress: number[] = [];
    const first = await populate({ sources, ...small, onProgress: (done) => void progress.push(done) });
    assert.equal(first.isNew, true);
    assert.deepEqual(
      first.people.map(({ developer }) => developer),
      [true, true, true, false, false, false],
    );
    const again = await populate({ sources });
    assert.deepEqual(again, { ...first, isNew: false });

    const server = await createServer(loadConfig('dev', sources));
    try {
      for (const { userid, password, mid, keys } of first.people) {
        const client = createRpcClient({ url: server.url });
        assert.equal((await client.login({ identifier: userid, password })).mid, mid);
        assert.equal((await client.TalkService.getE2EEPublicKeys()).length, keys ? 1 : 0);
        await client.logout();
        client.close();
      }
    } finally {
      await server.close();
    }
  });

  test('lives on a server of the folder', async () => {
    const sources = sourcesOf('lived');
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const { live } = await settleInDev({ ...small, rate: 6000, onError }, sources, undefined);
    const config = loadConfig('dev', sources);
    const server = await createServer(config);
    const life = live({ server, config, ports: systemPorts });
    try {
      await until(() => life.sent > 5, 'people talk');
      assert.deepEqual(errors, []);
    } finally {
      await life.close();
      await server.close();
    }
  });

  test('does not go into a folder with another one, or with other data', async () => {
    const sources = sourcesOf('new');
    await assert.rejects(populate({ sources, seed: 10 }), refused(/population of 3 people with the seed 9/));
    await assert.rejects(populate({ sources, people: 4 }), refused(/population of 3 people/));
    const other = sourcesOf('other');
    mkdirSync(other.flags['data-dir'] ?? '', { recursive: true });
    writeFileSync(join(other.flags['data-dir'] ?? '', 'sealpost.db'), '');
    await assert.rejects(populate({ sources: other, ...small }), refused(/has accounts already/));
    const elsewhere = sourcesOf('elsewhere', { 'database-url': `sqlite:${join(root, 'elsewhere.db')}` });
    await assert.rejects(populate({ sources: elsewhere, ...small }), refused(/leave out database-url/));
  });
});
