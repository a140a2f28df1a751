// The program of the load process. Each order names a server and a kind of load. The answer to an order is the
// measurement.

import { type ClientOrder, runClient } from './client-load.ts';
import { type Connection, openConnection } from './connection.ts';
import { openEventReader } from './event-reader.ts';
import { type GroupOrder, runGroupSends } from './group-load.ts';
import { runTransfers, type TransferOrder } from './media-load.ts';
import { cpuSeconds } from './process-usage.ts';
import { keyOf, MARK, sendRequest, streamRequest, type User } from './request.ts';
import { runSealing, type SealingOrder } from './sealing-load.ts';
import { percentile } from './statistics.ts';
import { runStorm, type StormOrder } from './storm-load.ts';
import { runSyncs, type SyncOrder } from './sync-load.ts';

/** An order to send from `users[i]` to `users[i + 1]`, for every even i. */
export interface SendOrder {
  readonly kind: 'send';
  readonly port: number;
  readonly pid: number;
  readonly users: readonly User[];
  readonly inFlight: number;
  /** True if a slot sends again only after the recipient's stream has delivered the message. */
  readonly delivered: boolean;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface StreamsOrder {
  readonly kind: 'streams';
  readonly port: number;
  readonly users: readonly User[];
  readonly count: number;
}

export type Order =
  | SendOrder
  | GroupOrder
  | SyncOrder
  | StormOrder
  | TransferOrder
  | SealingOrder
  | StreamsOrder
  | ClientOrder
  | { readonly kind: 'close-streams' };

export interface SendMeasure {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicros: number;
  readonly responseBytes: number;
  /** The time of day at which the measurement began, in milliseconds. */
  readonly begunAt: number;
  /** The sends that were done in each tenth of a second of the measurement. */
  readonly inTenths: readonly number[];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let failure: Error | undefined;
const failed = (error: Error): void => {
  failure ??= error;
};

interface Slot {
  readonly mark: string;
  readonly connection: Connection;
  readonly sender: User;
  readonly to: string;
  readonly key: ReturnType<typeof keyOf>;
  count: number;
  startedAt: number;
  awaited: number;
}

/**
 * The highest reqSeq that was used so far. It rises over all orders, so that no two sends of a session have the same
 * reqSeq.
 */
let reqSeq = Math.floor(Date.now() / 1000) & 0x3fffffff;

async function runSends(order: SendOrder): Promise<SendMeasure> {
  const slots = new Map<string, Slot>();
  const latencies: number[] = [];
  const inTenths: number[] = [];
  let recording = false;
  let begun = 0;
  let ending = false;
  let busy = 0;
  let responseBytes = 0;
  reqSeq += 1_000_000;
  const run = reqSeq.toString(36);

  function start(slot: Slot): void {
    slot.count += 1;
    slot.awaited = order.delivered ? 2 : 1;
    slot.startedAt = performance.now();
    const request = sendRequest(
      slot.sender,
      slot.key,
      ++reqSeq,
      slot.to,
      `${run}.${slot.mark}.${slot.count.toString(36)}`,
    );
    slot.connection.send(request, (status, body) => {
      if (status !== 200) failed(new Error(`a send was answered ${status}: ${body}`));
      responseBytes = body.length;
      arrived(slot);
    });
  }

  function arrived(slot: Slot): void {
    slot.awaited -= 1;
    if (slot.awaited > 0) return;
    if (recording) note(performance.now(), slot);
    if (ending || failure) busy -= 1;
    else start(slot);
  }

  function note(now: number, slot: Slot): void {
    latencies.push(now - slot.startedAt);
    const tenth = Math.floor((now - begun) / 100);
    inTenths[tenth] = (inTenths[tenth] ?? 0) + 1;
  }

  /**
   * Called when the event of a send arrives. The run fails if the event is repeated or belongs to an earlier send,
   * because both are faults of the server.
   */
  function marked(text: string): void {
    const [ofRun, ofSlot, count] = text.split('.') as [string, string, string];
    if (ofRun !== run) return;
    const slot = slots.get(ofSlot);
    if (slot?.count.toString(36) === count) arrived(slot);
    else failed(new Error(`an event came out of turn: ${text}`));
  }

  const pairs = order.users.length / 2;
  const readers = order.delivered
    ? await Promise.all(
        order.users
          .filter((_, i) => i % 2 === 1)
          .map((user) => openEventReader(order.port, streamRequest(user, keyOf(user)), MARK, marked, failed)),
      )
    : [];
  for (let i = 0; i < order.inFlight; i++) {
    const sender = order.users[(i % pairs) * 2] as User;
    const to = (order.users[(i % pairs) * 2 + 1] as User).mid;
    const connection = await openConnection(order.port, failed);
    slots.set(i.toString(36), {
      mark: i.toString(36),
      connection,
      sender,
      to,
      key: keyOf(sender),
      count: 0,
      startedAt: 0,
      awaited: 0,
    });
  }
  if (order.delivered) await pause(300);
  for (const slot of slots.values()) {
    busy += 1;
    start(slot);
  }
  await pause(order.warmUpMs);
  const cpuBefore = cpuSeconds(order.pid);
  const begunAt = Date.now();
  begun = performance.now();
  recording = true;
  await pause(order.measureMs);
  recording = false;
  const seconds = (performance.now() - begun) / 1000;
  const cpu = cpuSeconds(order.pid) - cpuBefore;
  ending = true;
  const deadline = performance.now() + 10_000;
  while (busy > 0 && !failure && performance.now() < deadline) await pause(5);
  if (busy > 0) failed(new Error(`${busy} sends were never answered or never delivered`));
  for (const { connection } of slots.values()) connection.close();
  for (const reader of readers) reader.close();
  if (failure) throw failure;
  if (latencies.length === 0) throw new Error(`no send was done within ${order.measureMs} ms`);
  const sorted = Float64Array.from(latencies).sort();
  return {
    perSecond: sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpuMicros: (cpu / sorted.length) * 1e6,
    responseBytes,
    begunAt,
    inTenths: Array.from(inTenths, (sends) => sends ?? 0),
  };
}

let idle: { close(): void }[] = [];

async function openStreams(order: StreamsOrder): Promise<number> {
  const batch = 50;
  const keys = order.users.map(keyOf);
  for (let done = 0; done < order.count; done += batch) {
    const opened = Array.from({ length: Math.min(batch, order.count - done) }, (_, i) => {
      const at = (done + i) % order.users.length;
      const user = order.users[at] as User;
      return openEventReader(
        order.port,
        streamRequest(user, keys[at] as ReturnType<typeof keyOf>),
        MARK,
        () => {},
        failed,
      );
    });
    idle.push(...(await Promise.all(opened)));
  }
  if (failure) throw failure;
  return idle.length;
}

async function carryOut(order: Order): Promise<unknown> {
  failure = undefined;
  if (order.kind === 'send') return runSends(order);
  if (order.kind === 'group') {
    reqSeq += 1_000_000;
    return runGroupSends(order, reqSeq);
  }
  if (order.kind === 'sync') return runSyncs(order);
  if (order.kind === 'storm') return runStorm(order);
  if (order.kind === 'transfer') return runTransfers(order);
  if (order.kind === 'sealing') return runSealing(order);
  if (order.kind === 'client') return runClient(order);
  if (order.kind === 'streams') return openStreams(order);
  for (const stream of idle) stream.close();
  idle = [];
  return 0;
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
