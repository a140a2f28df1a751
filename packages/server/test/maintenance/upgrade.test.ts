// A start of the server on data of every older schema.
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { contentTypes } from '@sealpost/contract';
import { databases, readLog, startServer } from '@sealpost/dev-env/harness';
import { createRpcClient } from '@sealpost/sdk';
import { verify } from '../../src/maintenance/verify/verify.ts';
import type { Row } from '../../src/platform/store/sql.ts';
import { fillOlder, type Rows, rowsIn, versions } from './older-schema.ts';
import { createUpgradeWorld, type Stage, type UpgradeWorld } from './upgrade-world.ts';
import { emptyDatabase, sourcesOf, temporary } from './world.ts';

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
const unset = { e2eeEnable: undefined, privacyAllowFriendRequest: undefined, privacyAllowSecondaryDeviceLogin: undefined };

describe('an upgrade', () => {
  let world: UpgradeWorld;
  before(async () => {
    world = await createUpgradeWorld();
  });
  after(() => world.server.close());

  const stageOf = (version: number): Stage =>
    world.stages.findLast(({ since }) => since <= version) ?? assert.fail(`no stage for the version ${version}`);

  for (const database of databases) {
    for (const version of versions.slice(0, -1)) {
      test(`from version ${version} of the schema keeps all data on ${database}`, async (t) => {
        const folder = temporary(t);
        const dataDir = join(folder, 'data');
        const own = await emptyDatabase(database, folder);
        t.after(() => own.drop());
        const flags = { 'data-dir': dataDir, 'database-url': own.url };
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
  }
});
