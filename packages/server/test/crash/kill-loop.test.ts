import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseKind, databases } from '../harness.ts';
import { startClients } from './clients.ts';
import { chatsOf, replayOf, tablesOf } from './final-state.ts';
import { startKillableServer } from './killable-server.ts';
import { type History, violations } from './model.ts';

const PEOPLE = 6;
const KILLS: Record<DatabaseKind, number> = { sqlite: 100, postgres: 20 };
/** A process lives until it answered up to so many sends, and then some milliseconds. */
const MOST_ANSWERS = 12;
const MOST_MS = 12;

for (const kind of databases) {
  test(`${KILLS[kind]} kills under load lose and double nothing on ${kind}`, { timeout: 180_000 }, async (t) => {
    const server = await startKillableServer(kind);
    try {
      const people = await server.people(PEOPLE);
      const clients = startClients(server, people);
      const begun = performance.now();
      for (let kill = 0; kill < KILLS[kind]; kill++) {
        await clients.answered(Math.floor(Math.random() * MOST_ANSWERS));
        await pause(Math.random() * MOST_MS);
        await server.kill();
        await server.startAgain();
      }
      const cycleMs = (performance.now() - begun) / KILLS[kind];
      await clients.stop();

      const history: History = {
        ...clients.recorded,
        replays: await Promise.all(people.map((person) => replayOf(server, person))),
        chats: (
          await Promise.all(
            people.map((person) =>
              chatsOf(
                server,
                person,
                people.filter((other) => other !== person),
              ),
            ),
          )
        ).flat(),
        tables: await tablesOf(server),
      };
      const { sends, streams } = history;
      const acknowledged = sends.filter((send) => send.answers.length > 0).length;
      const repeated = sends.filter((send) => send.answers.length > 1).length;
      const delivered = streams.reduce((sum, stream) => sum + stream.deliveries.length, 0);
      t.diagnostic(
        `${KILLS[kind]} kills, ${cycleMs.toFixed(0)} ms a cycle; ${sends.length} sends: ${acknowledged} acknowledged, ${sends.length - acknowledged} unknown, ${repeated} answered again; ${streams.length} streams delivered ${delivered} operations`,
      );
      assert.deepEqual(violations(history).slice(0, 10), []);
      // A run in which nothing was at stake proves nothing.
      assert.ok(acknowledged > KILLS[kind], 'too few sends were acknowledged');
      assert.ok(sends.length > acknowledged, 'no send was cut off');
      assert.ok(repeated > 0, 'no answered send was repeated');
      assert.ok(delivered > acknowledged, 'the streams delivered too little');
    } finally {
      await server.close();
    }
  });
}
