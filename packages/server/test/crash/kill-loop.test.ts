import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { seed } from '@sealpost/dev-env/chance';
import { type DatabaseKind, databases } from '@sealpost/dev-env/harness';
import { repeats, timeFor } from '@sealpost/dev-env/repeats';
import { createRandom } from '@sealpost/dev-env/workload/random';
import { startClients } from './clients.ts';
import { historyOf } from './final-state.ts';
import { startKillableServer } from './killable-server.ts';
import { type History, violations } from './model.ts';

const PEOPLE = 6;
const KILLS: Record<DatabaseKind, number> = { sqlite: repeats(40), postgres: repeats(10) };
/**
 * Each kill comes after at most MOST_ANSWERS answered sends and then at most MOST_MS milliseconds. In a long run, more is
 * answered before a kill.
 */
const MOST_ANSWERS = repeats(1) > 1 ? 240 : 12;
const MOST_MS = 12;
/**
 * If something that the test needs has not happened after KILLS kills, the run continues. It ends after MOST_ROUNDS
 * times KILLS kills at the latest.
 */
const MOST_ROUNDS = 5;

for (const kind of databases) {
  test(`${KILLS[kind]} kills under load lose and double nothing on ${kind}`, {
    timeout: timeFor(400_000),
  }, async (t) => {
    const server = await startKillableServer(kind);
    try {
      const people = await server.people(PEOPLE);
      const random = createRandom(seed);
      const clients = startClients(server, people, random);
      const begun = performance.now();
      let kills = 0;
      while (kills < KILLS[kind] || (!atStake(clients.recorded, kills) && kills < MOST_ROUNDS * KILLS[kind])) {
        await clients.answered(random.below(MOST_ANSWERS));
        await pause(random.below(MOST_MS));
        await server.kill();
        await server.startAgain();
        kills += 1;
      }
      const cycleMs = (performance.now() - begun) / kills;
      // The run proves nothing unless enough sends were interrupted.
      assert.ok(atStake(clients.recorded, kills), `too little happened in ${kills} kills`);
      await clients.stop();

      const history = await historyOf(server, people, clients.recorded);
      const { sends, streams } = history;
      const acknowledged = sends.filter((send) => send.answers.length > 0).length;
      const repeated = sends.filter((send) => send.answers.length > 1).length;
      const delivered = streams.reduce((sum, stream) => sum + stream.deliveries.length, 0);
      t.diagnostic(
        `${kills} kills, ${cycleMs.toFixed(0)} ms a cycle; ${sends.length} sends: ${acknowledged} acknowledged, ${sends.length - acknowledged} unknown, ${repeated} answered again; ${streams.length} streams delivered ${delivered} operations`,
      );
      assert.deepEqual(violations(history).slice(0, 10), []);
    } finally {
      await server.close();
    }
  });
}

/**
 * Returns whether the run proves something: sends were acknowledged, given up and answered twice, and streams delivered
 * operations.
 */
function atStake({ sends, streams }: Pick<History, 'sends' | 'streams'>, kills: number): boolean {
  const acknowledged = sends.filter((send) => send.answers.length > 0).length;
  const delivered = streams.reduce((sum, stream) => sum + stream.deliveries.length, 0);
  return (
    acknowledged > kills &&
    // Up to one send of each person may still be in progress, so there must be more unanswered sends than people.
    sends.length - acknowledged > PEOPLE &&
    sends.some((send) => send.answers.length > 1) &&
    delivered > acknowledged
  );
}
