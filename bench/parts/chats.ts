// A large group, and an account with many chats.
import path from 'node:path';
import type { ClientMeasure } from '../client-load.ts';
import { makeGroup } from '../group-chat.ts';
import type { GroupMeasure } from '../group-load.ts';
import { fillAccount } from '../large-account.ts';
import { preload } from '../preload.ts';
import { type GroupResult, mediansOf, type SyncResult } from '../report-chats.ts';
import type { ClientResult } from '../report-client.ts';
import type { User } from '../request.ts';
import type { SyncMeasure } from '../sync-load.ts';
import { type Bench, say } from './bench.ts';

const IN_FLIGHT = [1, 8, 32];
const CHATS = 1000;
const SYNC_RUNS = 20;
const SYNC_MESSAGES = 5000;
const CLIENT_MESSAGES = 500;
const CLIENT_PER_SECOND = 100;

export async function measureGroups({ load, prepared, rounds, times, start, copyOf }: Bench): Promise<GroupResult[]> {
  const { port, pid } = await start(copyOf(prepared.folder));
  const members = prepared.users;
  const chatMid = await makeGroup(port, members);
  const results: GroupResult[] = [];
  for (const inFlight of IN_FLIGHT) {
    const measures: GroupMeasure[] = [];
    for (let round = 1; round <= rounds; round++) {
      const measured = await load.sendToGroup({ port, pid, chatMid, members, inFlight, ...times });
      measures.push(measured);
      say(
        `round ${round}: group, ${inFlight} in flight: ${measured.deliveriesPerSecond.toFixed(0)} deliveries/s, p99 ${measured.p99.toFixed(1)} ms, ${measured.cpuMicrosPerDelivery.toFixed(1)} µs`,
      );
    }
    results.push({ store: 'SQLite', members: members.length, inFlight, ...mediansOf(measures) });
  }
  return results;
}

/**
 * Measures each round on a server that has just started. The first sync of a client may also come directly after the
 * start of a server.
 */
export async function measureSync({ load, prepared, rounds, start, startFloor, copyOf }: Bench): Promise<SyncResult> {
  const folder = copyOf(prepared.folder);
  const [user, peer] = prepared.users as [User, User];
  const floor = await startFloor();
  // A page of the history of the one chat that the user already has is full.
  preload(path.join(folder, 'data/sealpost.db'), SYNC_MESSAGES);
  // One chat less is added.
  fillAccount(path.join(folder, 'data/sealpost.db'), user.mid, CHATS - 1);
  const measures: SyncMeasure[][] = [];
  for (let round = 1; round <= rounds; round++) {
    const gateway = await start(folder);
    const { port, pid } = gateway;
    const order = { port, pid, floor, user, peer: peer.mid, chats: CHATS, runs: SYNC_RUNS };
    const measured = await load.synchronize(order);
    await gateway.stop();
    measures.push(measured);
    say(`round ${round}: ${measured.map(({ step, cpuMs }) => `${step} ${cpuMs.toFixed(0)} ms CPU`).join(', ')}`);
  }
  const steps = (measures[0] ?? []).map((_, i) => mediansOf(measures.map((round) => round[i] as SyncMeasure)));
  return { chats: CHATS, steps };
}

/** Measures a client with local state whose user has many chats. */
export async function measureClient({ load, prepared, rounds, start, copyOf }: Bench): Promise<ClientResult> {
  const folder = copyOf(prepared.folder);
  fillAccount(path.join(folder, 'data/sealpost.db'), (prepared.users[0] as User).mid, CHATS - 1);
  const { port } = await start(folder);
  const order = { port, chats: CHATS, messages: CLIENT_MESSAGES, perSecond: CLIENT_PER_SECOND };
  const results: ClientMeasure[][] = [];
  for (let round = 1; round <= rounds; round++) {
    const measured = await load.follow(order);
    results.push(measured);
    say(`round ${round}: ${measured.map(({ store, cpuMicros }) => `${store} ${cpuMicros.toFixed(0)} µs`).join(', ')}`);
  }
  return { chats: CHATS, perSecond: CLIENT_PER_SECOND, rounds: results };
}
