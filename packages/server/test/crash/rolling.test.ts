// Three servers on one database are replaced by a newer version one by one, while clients send and listen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '@sealpost/dev-env/chance';
import { databases } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { createRandom } from '@sealpost/dev-env/workload/random';
import pg from 'pg';
import { startClients } from './clients.ts';
import { historyOf } from './final-state.ts';
import { violations } from './model.ts';
import { NEWEST, startRollingServers } from './rolling-servers.ts';

const SERVERS = 3;
const PEOPLE = 6;
/** Sends that are answered before, between and after the replacements. */
const SENDS = 40;

test('servers replaced one by one by a newer version lose and double nothing', {
  skip: !databases.includes('postgres') && 'needs PostgreSQL',
  timeout: 400_000,
}, async (t) => {
  const servers = await startRollingServers(SERVERS, { 'drain-seconds': '2' });
  const client = new pg.Client({ connectionString: servers.databaseUrl });
  try {
    await client.connect();
    const people = await servers.people(PEOPLE);
    const clients = startClients(servers, people, createRandom(seed));
    const versions = async (): Promise<number[]> => {
      const { rows } = await client.query<{ version: string }>(
        'select version from schema_version where version > 900 order by version',
      );
      return rows.map(({ version }) => Number(version));
    };
    for (let n = 0; n < SERVERS; n += 1) {
      await clients.answered(SENDS);
      await servers.replaceOldest();
      // What the older servers use is not taken away while one of them runs.
      if (n < SERVERS - 1) assert.deepEqual(await versions(), [NEWEST - 1]);
    }
    await until(async () => (await versions()).includes(NEWEST), 'the migration that waited is done');
    await clients.answered(SENDS);
    await clients.stop();

    const history = await historyOf(servers, people, clients.recorded);
    const { sends, streams } = history;
    const acknowledged = sends.filter((send) => send.answers.length > 0).length;
    t.diagnostic(`${sends.length} sends, ${acknowledged} acknowledged; ${streams.length} streams of ${PEOPLE} people`);
    // Each replacement ends streams.
    assert.ok(streams.length > PEOPLE, `${streams.length} streams`);
    assert.deepEqual(violations(history).slice(0, 10), []);
  } finally {
    await client.end();
    await servers.close();
  }
});
