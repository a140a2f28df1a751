import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDatabase, databases } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { createAdminClient } from '@sealpost/sdk/admin';
import pg from 'pg';
import { ConfigError } from '../../src/platform/kernel/config-error.ts';
import { loadConfig } from '../../src/start/config/config.ts';
import type { Mode } from '../../src/start/config/setting.ts';
import { refuseDevAccounts, refuseRealAccounts, seedDevAccounts } from '../../src/start/dev-accounts.ts';
import { createServer, type RunningServer } from '../../src/start/server.ts';
import type { Slices } from '../../src/start/slices.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealpost-dev-accounts-'));
after(() => rmSync(folder, { recursive: true }));

for (const kind of databases) {
  test(`what dev mode seeded is not served for real on ${kind} until nobody knows a password`, async () => {
    const database = kind === 'postgres' ? await createDatabase() : undefined;
    const flags = {
      port: '0',
      'data-dir': join(folder, kind),
      'log-level': 'silent',
      ...(database && { 'database-url': database.url }),
    };
    const start = (mode: Mode, prepare: (slices: Slices) => Promise<unknown>) =>
      createServer(loadConfig(mode, { flags, env: {} }), {
        prepare: async (slices) => void (await prepare(slices)),
      });
    const serve = () => start('serve', (slices) => refuseDevAccounts(slices, 'here'));
    const inDev = async (work: (server: RunningServer) => Promise<unknown>) => {
      const server = await start('dev', seedDevAccounts);
      await work(server);
      await server.close();
    };
    const refused = (message: RegExp) =>
      assert.rejects(serve(), (error) => error instanceof ConfigError && message.test(error.message));
    try {
      await (await serve()).close();
      await inDev(async () => {});
      await refused(
        /^alice, bob, carol, the administrator admin in here still have.*--data-dir or --database-url.*account delete.*admin remove admin --last/,
      );
      await inDev(async ({ slices: { accounts } }) => {
        const idOf = async (userid: string) => (await accounts.show(userid))?.id ?? assert.fail(`no ${userid}`);
        await accounts.remove(await idOf('alice'));
        await accounts.resetPassword(await idOf('bob'), 'a password of his own');
        await accounts.disable(await idOf('carol'));
      });
      await refused(/^carol, the administrator admin in here still have/);
      await inDev(async ({ slices: { accounts } }) => {
        for (const userid of ['alice', 'carol']) await accounts.remove((await accounts.show(userid))?.id ?? 0);
      });
      await refused(
        /^the administrator admin in here still has .* once more, run `sealpost admin remove admin --last`, and stop it/,
      );
      await inDev(async ({ url, adminToken: token, slices: { accounts } }) => {
        for (const userid of ['alice', 'carol']) await accounts.remove((await accounts.show(userid))?.id ?? 0);
        await createAdminClient({ url, token }).removeAdministrator({ administrator: 'admin', last: true });
      });
      await (await serve()).close();
      const inDevOnRealAccounts = start('dev', (slices) => refuseRealAccounts(slices, 'here'));
      await assert.rejects(
        inDevOnRealAccounts,
        /^ConfigError: here has the accounts of a real server\. .*sealpost serve/,
      );
    } finally {
      await database?.drop();
    }
  });
}

test('dev mode starts on an empty database, and again on what it seeded', async () => {
  const flags = { port: '0', 'data-dir': join(folder, 'again'), 'log-level': 'silent' };
  for (let run = 0; run < 2; run++) {
    const server = await createServer(loadConfig('dev', { flags, env: {} }), {
      prepare: async (slices) => {
        await refuseRealAccounts(slices, 'here');
        await seedDevAccounts(slices);
      },
    });
    await server.close();
  }
});

test('a start that fails leaves no connection, which would keep the process from ending', {
  skip: !databases.includes('postgres') && 'needs PostgreSQL',
}, async () => {
  const database = await createDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const others = 'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  try {
    const flags = {
      port: '0',
      'data-dir': join(folder, 'failed'),
      'log-level': 'silent',
      'database-url': database.url,
    };
    const prepare = () => Promise.reject(new Error('no'));
    await assert.rejects(createServer(loadConfig('serve', { flags, env: {} }), { prepare }), /^Error: no$/);
    const dataDir = join(folder, 'without token');
    mkdirSync(join(dataDir, 'admin-token'), { recursive: true });
    const second = createServer(loadConfig('serve', { flags: { ...flags, 'data-dir': dataDir }, env: {} }));
    await assert.rejects(second, /admin-token cannot be used/);
    await until(async () => (await client.query(others)).rows.length === 0, 'all connections are closed');
  } finally {
    await client.end();
    await database.drop();
  }
});
