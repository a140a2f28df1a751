// A start of the server on data of every older schema.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { createDatabase, databases, readLog, startServer } from '@sealpost/dev-env/harness';
import { fillOlder, type Rows, rowsIn, versions } from '@sealpost/dev-env/older-schema';
import { createRpcClient } from '@sealpost/sdk';
import { openAlone } from '../../src/maintenance/database/open-database.ts';
import { serverConfig } from '../../src/maintenance/places.ts';
import { verify } from '../../src/maintenance/verify/verify.ts';
import type { Row } from '../../src/platform/store/sql.ts';
import { createUpgradeWorld, type Stage, type UpgradeWorld } from './upgrade-world.ts';
import { sourcesOf, temporary } from './world.ts';

type Flags = Readonly<Record<string, string>> & { readonly 'data-dir': string };

/** Tables that a running server writes to by itself. */
const OWN = new Set(['running_server', 'open_account', 'log_share', 'log_subscriber', 'subscriber_cursor']);
/** The first version with files; those before it have none. */
const WITH_FILES = 9;

/** Returns the rows of a table in an order that does not depend on the database. */
const sorted = (rows: readonly Row[] = []): string[] =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();

/** Returns rows without what a setting leaves in the JSON after it got a column, which nobody reads. */
const withoutOldSettings = (rows: Rows): Rows => ({
  ...rows,
  settings: (rows.settings ?? []).map((row) => ({
    ...row,
    changed: JSON.stringify({ ...JSON.parse(String(row.changed)), ...unset }),
  })),
});
const unset = {
  e2eeEnable: undefined,
  privacyAllowFriendRequest: undefined,
  privacyAllowSecondaryDeviceLogin: undefined,
};

/** Changes the tables of a database that no server uses. */
async function exec(flags: Flags, text: string): Promise<void> {
  const database = await openAlone(serverConfig(sourcesOf(flags)).database);
  await database.run({ id: text, answersRows: false, sqlite: text, postgres: text });
  await database.close();
}

describe('an upgrade', () => {
  let world: UpgradeWorld;
  before(async () => {
    world = await createUpgradeWorld();
  });
  let own: Awaited<ReturnType<typeof createDatabase>> | undefined;
  after(async () => {
    await world.server.close();
    await own?.drop();
  });

  const stageOf = (version: number): Stage =>
    world.stages.findLast(({ since }) => since <= version) ?? assert.fail(`no stage for the version ${version}`);

  for (const database of databases) {
    /** Returns settings for a new data folder and an empty database. All tests use the same PostgreSQL database. */
    async function emptyPlace(t: TestContext): Promise<Flags> {
      const folder = temporary(t);
      if (database === 'postgres') own ??= await createDatabase();
      const flags = {
        'data-dir': join(folder, 'data'),
        ...(own && database === 'postgres' && { 'database-url': own.url }),
      };
      if (database === 'postgres') await exec(flags, 'drop schema public cascade; create schema public');
      return flags;
    }

    for (const version of versions.slice(0, -1)) {
      test(`from version ${version} of the schema keeps all data on ${database}`, async (t) => {
        const flags = await emptyPlace(t);
        const dataDir = flags['data-dir'];
        const stage = stageOf(version);
        const tables = await fillOlder(sourcesOf(flags), version, stage.rows);
        if (version >= WITH_FILES)
          cpSync(join(world.server.dataDir, 'objects'), join(dataDir, 'objects'), { recursive: true });
        const server = await startServer({ dataDir, flags });
        t.after(() => server.close());

        const [kept, found] = [stage.rows, await rowsIn(sourcesOf(flags))].map(withoutOldSettings);
        for (const table of tables.filter((name) => !OWN.has(name)))
          assert.deepEqual(sorted(found?.[table]), sorted(kept?.[table]), table);
        const [alice, bob] = [world.alice, world.bob].map(({ client: { session } }) =>
          createRpcClient({ url: server.url, ...(session && { session }) }),
        );
        assert.ok(alice && bob);
        server.atEnd(() => [alice, bob].map((client) => client.close()));
        assert.deepEqual(await readLog(bob), stage.log);
        const { id, text, reqSeq } = world.first;
        const send = (seq: number) =>
          alice.TalkService.sendMessage(seq, { to: world.bob.mid, contentType: contentTypes.NONE, text });
        assert.equal((await send(reqSeq)).id, id, 'a send from before the upgrade is sent twice');
        assert.ok(BigInt((await send(900)).id) > BigInt(stage.log.at(-1)?.message?.id ?? id));
        if (version >= WITH_FILES) {
          const headers = { 'X-Svc-Access': bob.session?.tokens.accessToken ?? '' };
          const answer = await fetch(server.url + world.file.path, { headers });
          assert.equal(await answer.text(), world.file.bytes);
        }
        assert.deepEqual((await verify({ sources: sourcesOf(flags) })).findings, []);
      });
    }

    test(`that fails changes nothing on ${database}, and goes on when the reason is gone`, async (t) => {
      const flags = await emptyPlace(t);
      const version = WITH_FILES - 1;
      await fillOlder(sourcesOf(flags), version, stageOf(version).rows);
      const before = await rowsIn(sourcesOf(flags));
      // A table that a later migration creates.
      await exec(flags, 'create table invite (id bigint primary key)');
      await assert.rejects(startServer({ dataDir: flags['data-dir'], flags }), {
        message: new RegExp(
          '^the migration 0020-registration.sql failed: .*invite.* already exists. Nothing was changed: ' +
            `the database has schema version ${version} as before`,
        ),
      });
      await exec(flags, 'drop table invite');
      assert.deepEqual(await rowsIn(sourcesOf(flags)), before);
      const server = await startServer({ dataDir: flags['data-dir'], flags });
      t.after(() => server.close());
      const kept = before.message?.map((row) => ({ ...row, withheld_after: null }));
      assert.deepEqual(sorted((await rowsIn(sourcesOf(flags))).message), sorted(kept));
    });
  }
});
