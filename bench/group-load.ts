// Sends messages to one group whose members all read their streams. Each sender has one slot. A slot sends its next
// message when its last message is answered and all other members have received the event.
import { setTimeout as pause } from 'node:timers/promises';
import { openConnection } from './connection.ts';
import { openEventReader } from './event-reader.ts';
import { cpuSeconds } from './process-usage.ts';
import { keyOf, MARK, sendRequest, streamRequest, type User } from './request.ts';
import { percentile } from './statistics.ts';

export interface GroupOrder {
  readonly kind: 'group';
  readonly port: number;
  readonly pid: number;
  readonly chatMid: string;
  /** The members of the group. The first `inFlight` members send. */
  readonly members: readonly User[];
  readonly inFlight: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface GroupMeasure {
  readonly sendsPerSecond: number;
  readonly deliveriesPerSecond: number;
  /** Median time, in milliseconds, from a send until the last member has received the event. */
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicrosPerDelivery: number;
}

interface Slot {
  readonly sender: number;
  readonly send: (reqSeq: number, mark: string) => void;
  count: number;
  startedAt: number;
  answered: boolean;
  missing: number;
  lastAt: number;
}

/** @param reqSeq a number that is higher than every reqSeq that these members have used */
export async function runGroupSends(order: GroupOrder, reqSeq: number): Promise<GroupMeasure> {
  const run = reqSeq.toString(36);
  const others = order.members.length - 1;
  const latencies: number[] = [];
  const slots: Slot[] = [];
  let failure: Error | undefined;
  let deliveries = 0;
  let recording = false;
  let ending = false;
  let busy = 0;
  const failed = (error: Error): void => {
    failure ??= error;
  };

  function start(slot: Slot): void {
    slot.count += 1;
    slot.answered = false;
    slot.missing = others;
    slot.startedAt = performance.now();
    slot.send(++reqSeq, `${run}.${slot.sender.toString(36)}.${slot.count.toString(36)}`);
  }

  function settle(slot: Slot): void {
    if (!slot.answered || slot.missing > 0) return;
    if (recording) latencies.push(slot.lastAt - slot.startedAt);
    if (ending || failure) busy -= 1;
    else start(slot);
  }

  /**
   * Returns the function that gets the marks in one member's events. If an event is missing, repeated or out of order,
   * the run fails.
   */
  function reader(member: number): (mark: string) => void {
    const seen = new Map<Slot, number>();
    return (mark) => {
      const [ofRun, ofSlot, count] = mark.split('.') as [string, string, string];
      const slot = slots[Number.parseInt(ofSlot, 36)];
      if (ofRun !== run || !slot || slot.sender === member) return;
      const expected = (seen.get(slot) ?? 0) + 1;
      if (expected !== slot.count || count !== expected.toString(36)) {
        failed(new Error(`an event came out of turn: ${mark}`));
      }
      seen.set(slot, expected);
      slot.missing -= 1;
      if (recording) deliveries += 1;
      if (slot.missing > 0) return;
      slot.lastAt = performance.now();
      settle(slot);
    };
  }

  const readers = await Promise.all(
    order.members.map((user, i) =>
      openEventReader(order.port, streamRequest(user, keyOf(user)), MARK, reader(i), failed),
    ),
  );
  const connections = await Promise.all(
    order.members.slice(0, order.inFlight).map(() => openConnection(order.port, failed)),
  );
  for (const [i, connection] of connections.entries()) {
    const sender = order.members[i] as User;
    const key = keyOf(sender);
    const slot: Slot = {
      sender: i,
      send: (seq, mark) =>
        connection.send(sendRequest(sender, key, seq, order.chatMid, mark), (status, body) => {
          if (status !== 200) failed(new Error(`a send was answered ${status}: ${body}`));
          slot.answered = true;
          settle(slot);
        }),
      count: 0,
      startedAt: 0,
      answered: false,
      missing: 0,
      lastAt: 0,
    };
    slots.push(slot);
  }
  await pause(300);
  busy = slots.length;
  for (const slot of slots) start(slot);
  await pause(order.warmUpMs);
  recording = true;
  const cpuBefore = cpuSeconds(order.pid);
  const begun = performance.now();
  await pause(order.measureMs);
  recording = false;
  const seconds = (performance.now() - begun) / 1000;
  const cpu = cpuSeconds(order.pid) - cpuBefore;
  ending = true;
  const deadline = performance.now() + 10_000;
  while (busy > 0 && !failure && performance.now() < deadline) await pause(5);
  if (busy > 0) failed(new Error(`${busy} sends were never answered or never delivered to all`));
  for (const connection of connections) connection.close();
  for (const open of readers) open.close();
  if (failure) throw failure;
  const sorted = Float64Array.from(latencies).sort();
  return {
    sendsPerSecond: sorted.length / seconds,
    deliveriesPerSecond: deliveries / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpuMicrosPerDelivery: (cpu / deliveries) * 1e6,
  };
}
