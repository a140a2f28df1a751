// Takes away the primary of a highly available database again and again, while clients send through one server. The
// server must outlive all of it, and the checker of the kill loop judges what clients saw.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { seed } from '@sealpost/dev-env/chance';
import { type DatabaseNode, type DatabasePair, startDatabasePair } from '@sealpost/dev-env/database-pair/database-pair';
import { until } from '@sealpost/dev-env/until';
import { createRandom } from '@sealpost/dev-env/workload/random';
import pg from 'pg';
import { type Clients, startClients } from './clients.ts';
import { chatsOf, replayOf, tablesOf } from './final-state.ts';
import { type KillableServer, startKillableServer } from './killable-server.ts';
import { type History, violations } from './model.ts';
import type { Person } from './server-with-crash-points.ts';

const PEOPLE = 6;
/** Each failover comes after at least LEAST_ANSWERS answered sends, then some more, and at most MOST_MS milliseconds. */
const LEAST_ANSWERS = 20;
const MORE_ANSWERS = 200;
const MOST_MS = 12;
/**
 * The most milliseconds that a client waits before an attempt while the database is away. With shorter waits, clients
 * would give up all sends that the loss interrupted, instead of repeating them after it.
 */
const AWAY_PAUSE_MS = 5_000;
const POLL_MS = 100;
const READ_ONLY = '25006';

/**
 * `kill`: all processes of the primary are killed, and started again after the failover. `freeze`: they stand still,
 * and go on after the failover as if they were still the primary.
 */
export type Loss = 'kill' | 'freeze';

export interface Failover {
  readonly loss: Loss;
  /** Milliseconds from the loss of the primary to the first send that was acknowledged after it. */
  readonly backMs: number;
}

export interface FailoverReport {
  readonly failovers: readonly Failover[];
  readonly acknowledged: number;
  /** Sends that their clients gave up without an answer. `unknownStored` of them were stored nevertheless. */
  readonly unknown: number;
  readonly unknownStored: number;
  /** Sends that were acknowledged although an attempt before was not answered. */
  readonly repeated: number;
  readonly lost: number;
  readonly doubled: number;
  /** Broken rules; empty if everything is right. */
  readonly violations: readonly string[];
}

/**
 * Starts everything, loses the primary once for each given loss, and checks the whole history.
 * @param binDir the folder with the programs of PostgreSQL
 * @param tell called after each failover
 */
export async function runFailovers(
  binDir: string,
  losses: readonly Loss[],
  tell: (failover: Failover) => void = () => {},
): Promise<FailoverReport> {
  const pair = await startDatabasePair(binDir);
  try {
    const server = await startKillableServer({ url: pair.url, drop: async () => {} });
    try {
      const people = await server.people(PEOPLE);
      const random = createRandom(seed);
      let away = false;
      const patient: KillableServer = {
        ...server,
        async url() {
          if (away) await pause(random.below(AWAY_PAUSE_MS));
          return server.url();
        },
      };
      const clients = startClients(patient, people, random);
      const failovers: Failover[] = [];
      for (const loss of losses) {
        await pair.paired();
        await clients.answered(LEAST_ANSWERS + random.below(MORE_ANSWERS));
        await pause(random.below(MOST_MS));
        const backMs = await failOver(loss, pair, server, clients, (now) => {
          away = now;
        });
        failovers.push({ loss, backMs });
        tell({ loss, backMs });
      }
      await clients.stop();
      return reportOf(await historyOf(server, people, clients), failovers, clients.retried());
    } finally {
      await server.close();
    }
  } finally {
    await pair.close();
  }
}

/** Takes the primary away, and brings it back as a standby. Returns how long nothing was acknowledged. */
async function failOver(
  loss: Loss,
  pair: DatabasePair,
  server: KillableServer,
  clients: Clients,
  setAway: (away: boolean) => void,
): Promise<number> {
  const old = await pair.paired();
  setAway(true);
  const begun = performance.now();
  const bringBack = await takeAway(old, loss);
  const { database, ...rest } = await untilReadiness(server, 503);
  assert.notEqual(database, 'ok', `readiness names another part: ${JSON.stringify(rest)}`);
  await clients.answered(1);
  const backMs = performance.now() - begun;
  setAway(false);
  await untilReadiness(server, 200);
  bringBack();
  await until(async () => {
    await pause(POLL_MS);
    return (await refusalOf(old)) === READ_ONLY && old.isStandby();
  }, 'the old primary is a standby');
  assert.deepEqual(
    (await pair.primaries()).map(({ name }) => name),
    pair.nodes.map(({ name }) => name).filter((name) => name !== old.name),
  );
  return backMs;
}

/** Returns the function that brings the node back. */
async function takeAway(node: DatabaseNode, loss: Loss): Promise<() => void> {
  if (loss === 'freeze') return node.freeze();
  await node.kill();
  return () => node.start();
}

/** Waits until the server answers with a status whether it is ready. Returns the states of its parts. */
async function untilReadiness(server: KillableServer, status: number): Promise<Readonly<Record<string, unknown>>> {
  let parts: Readonly<Record<string, unknown>> = {};
  await until(async () => {
    await pause(POLL_MS);
    const answer = await fetch(`${await server.url()}/readyz`);
    parts = JSON.parse(await answer.text());
    return answer.status === status;
  }, `/readyz answers ${status}`);
  return parts;
}

/**
 * Tries to write directly on an old primary, without the proxy. Returns the code of the error.
 * @throws Error if the node takes the write
 */
async function refusalOf(node: DatabaseNode): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: node.url });
  // A node that shuts down ends its connections, also between two calls.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query("insert into server_secret (name, value, created_time) values ('of a test', '', 0)");
  } catch (error) {
    return (error as { code?: string }).code;
  } finally {
    await client.end().catch(() => {});
  }
  throw new Error(`node ${node.name} takes writes although another node is the primary`);
}

async function historyOf(server: KillableServer, people: readonly Person[], clients: Clients): Promise<History> {
  const chatsOfPerson = (person: Person) =>
    chatsOf(
      server,
      person,
      people.filter((other) => other !== person),
    );
  return {
    ...clients.recorded,
    replays: await Promise.all(people.map((person) => replayOf(server, person))),
    chats: (await Promise.all(people.map(chatsOfPerson))).flat(),
    tables: await tablesOf(server),
  };
}

function reportOf(history: History, failovers: readonly Failover[], repeated: number): FailoverReport {
  const acknowledged = history.sends.filter((send) => send.answers.length > 0);
  const stored = Map.groupBy(history.tables.messages, ({ text }) => text);
  return {
    failovers,
    acknowledged: acknowledged.length,
    unknown: history.sends.length - acknowledged.length,
    unknownStored: history.sends.filter(({ answers, text }) => answers.length === 0 && stored.has(text)).length,
    repeated,
    lost: acknowledged.filter(({ text }) => !stored.has(text)).length,
    doubled: [...stored.values()].filter((copies) => copies.length > 1).length,
    violations: violations(history),
  };
}
