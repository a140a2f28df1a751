// Runs a closed loop of sends: each slot sends its next message only when its last one has arrived. The loop knows
// nothing of the protocol, so that different servers are measured in the same way.
import { cpuSeconds, endedChildrenSeconds, familyCpuSeconds } from './process-usage.ts';
import { percentile } from './statistics.ts';

export interface LoopOrder {
  /** The process of the server. */
  readonly pid: number;
  /** The first process of its database, if that is a server of its own. */
  readonly databasePid?: number | undefined;
  readonly inFlight: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface SendMeasure {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicros: number;
  /** Processor time of the database of its own; 0 if the order names none. */
  readonly databaseCpuMicros: number;
  /** Processor time of the load itself, which must be far less than that of the server. */
  readonly loadCpuMicros: number;
  /** All messages of the order, those of the warm-up too. */
  readonly total: number;
  /** The time of day at which the measurement began, in milliseconds. */
  readonly begunAt: number;
  /** The sends that were done in each tenth of a second of the measurement. */
  readonly inTenths: readonly number[];
}

/** What a protocol tells the loop. */
export interface LoopEvents {
  /** Called when the server has answered the send of a slot. */
  answered(slot: number): void;
  /** Called when a recipient's connection has the message with this mark. */
  delivered(mark: string): void;
  failed(error: Error): void;
}

/** The connections of one order. */
export interface Wire {
  send(slot: number, mark: string): void;
  close(): void;
}

interface Slot {
  readonly at: number;
  count: number;
  startedAt: number;
  awaited: number;
}

const END_MS = 10_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param run tells the messages of this loop from those of others; without dots */
export async function runClosedLoop(
  order: LoopOrder,
  run: string,
  /** What a slot waits for before it sends again. */
  awaited: readonly ('answer' | 'delivery')[],
  open: (events: LoopEvents) => Promise<Wire>,
): Promise<SendMeasure> {
  const slots = Array.from({ length: order.inFlight }, (_, at): Slot => ({ at, count: 0, startedAt: 0, awaited: 0 }));
  const latencies: number[] = [];
  const inTenths: number[] = [];
  let failure: Error | undefined;
  let recording = false;
  let begun = 0;
  let ending = false;
  let busy = 0;
  let total = 0;

  function start(slot: Slot): void {
    slot.count += 1;
    slot.awaited = awaited.length;
    slot.startedAt = performance.now();
    wire.send(slot.at, `${run}.${slot.at.toString(36)}.${slot.count.toString(36)}`);
  }

  function arrived(slot: Slot): void {
    slot.awaited -= 1;
    if (slot.awaited > 0) return;
    total += 1;
    if (recording) note(performance.now(), slot);
    if (ending || failure) busy -= 1;
    else start(slot);
  }

  function note(now: number, slot: Slot): void {
    latencies.push(now - slot.startedAt);
    const tenth = Math.floor((now - begun) / 100);
    inTenths[tenth] = (inTenths[tenth] ?? 0) + 1;
  }

  function failed(error: Error): void {
    failure ??= error;
  }

  /**
   * Called when a message is delivered. The run fails if the message is repeated or belongs to an earlier send, because
   * both are faults of the server.
   */
  function delivered(mark: string): void {
    const [ofRun, at, count] = mark.split('.') as [string, string, string];
    if (ofRun !== run) return;
    const slot = slots[Number.parseInt(at, 36)];
    if (slot?.count.toString(36) === count) arrived(slot);
    else failed(new Error(`a message came out of turn: ${mark}`));
  }

  const wire = await open({ answered: (slot) => arrived(slots[slot] as Slot), delivered, failed });
  for (const slot of slots) {
    busy += 1;
    start(slot);
  }
  await pause(order.warmUpMs);
  const cpuBefore = cpuOf(order);
  const begunAt = Date.now();
  begun = performance.now();
  recording = true;
  await pause(order.measureMs);
  recording = false;
  const seconds = (performance.now() - begun) / 1000;
  const cpuAfter = cpuOf(order);
  ending = true;
  const deadline = performance.now() + END_MS;
  while (busy > 0 && !failure && performance.now() < deadline) await pause(5);
  if (busy > 0) failed(new Error(`${busy} sends were never answered or never delivered`));
  wire.close();
  if (failure) throw failure;
  if (latencies.length === 0) throw new Error(`no send was done within ${order.measureMs} ms`);
  const sorted = Float64Array.from(latencies).sort();
  return {
    perSecond: sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    cpuMicros: ((cpuAfter.server - cpuBefore.server) / sorted.length) * 1e6,
    databaseCpuMicros: ((cpuAfter.database - cpuBefore.database) / sorted.length) * 1e6,
    loadCpuMicros: ((cpuAfter.load - cpuBefore.load) / sorted.length) * 1e6,
    total,
    begunAt,
    inTenths: Array.from(inTenths, (sends) => sends ?? 0),
  };
}

const cpuOf = ({ pid, databasePid }: LoopOrder): { load: number; server: number; database: number } => ({
  load: cpuSeconds(process.pid),
  server: cpuSeconds(pid),
  database: databasePid === undefined ? 0 : familyCpuSeconds(databasePid) + endedChildrenSeconds(databasePid),
});
