// Runs a closed loop of sends: each slot sends its next message only when its last one has arrived. The loop knows
// nothing of the protocol, so that different servers are measured in the same way.
import { setTimeout as pause } from 'node:timers/promises';
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
  /** The latencies that 0, 1, 2 … 99 percent of the sends did not exceed, and the largest, in milliseconds. */
  readonly centiles: readonly number[];
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
/** The slots of a loop, and what has arrived. */
class Loop {
  readonly latencies: number[] = [];
  readonly inTenths: number[] = [];
  failure: Error | undefined;
  /** The time at which the measurement began; undefined before and after it. */
  measuringSince: number | undefined;
  ending = false;
  busy = 0;
  total = 0;
  readonly #slots: readonly Slot[];
  readonly #run: string;
  readonly #awaited: number;
  #wire: Wire | undefined;

  constructor(inFlight: number, run: string, awaited: number) {
    this.#slots = Array.from({ length: inFlight }, (_, at) => ({ at, count: 0, startedAt: 0, awaited: 0 }));
    this.#run = run;
    this.#awaited = awaited;
  }

  readonly events: LoopEvents = {
    answered: (slot) => this.#arrived(this.#slots[slot] as Slot),
    delivered: (mark) => this.#delivered(mark),
    failed: (error) => {
      this.failure ??= error;
    },
  };

  begin(wire: Wire): void {
    this.#wire = wire;
    for (const slot of this.#slots) {
      this.busy += 1;
      this.#start(slot);
    }
  }

  #start(slot: Slot): void {
    slot.count += 1;
    slot.awaited = this.#awaited;
    slot.startedAt = performance.now();
    this.#wire?.send(slot.at, `${this.#run}.${slot.at.toString(36)}.${slot.count.toString(36)}`);
  }

  #arrived(slot: Slot): void {
    slot.awaited -= 1;
    if (slot.awaited > 0) return;
    this.total += 1;
    if (this.measuringSince !== undefined) this.#note(performance.now(), slot, this.measuringSince);
    if (this.ending || this.failure) this.busy -= 1;
    else this.#start(slot);
  }

  #note(now: number, slot: Slot, since: number): void {
    this.latencies.push(now - slot.startedAt);
    const tenth = Math.floor((now - since) / 100);
    this.inTenths[tenth] = (this.inTenths[tenth] ?? 0) + 1;
  }

  /**
   * Called when a message is delivered. The run fails if the message is repeated or belongs to an earlier send, because
   * both are faults of the server.
   */
  #delivered(mark: string): void {
    const [ofRun, at, count] = mark.split('.') as [string, string, string];
    if (ofRun !== this.#run) return;
    const slot = this.#slots[Number.parseInt(at, 36)];
    if (slot?.count.toString(36) === count) this.#arrived(slot);
    else this.events.failed(new Error(`a message came out of turn: ${mark}`));
  }
}

/** @param run tells the messages of this loop from those of others; without dots */
export async function runClosedLoop(
  order: LoopOrder,
  run: string,
  /** What a slot waits for before it sends again. */
  awaited: readonly ('answer' | 'delivery')[],
  open: (events: LoopEvents) => Promise<Wire>,
): Promise<SendMeasure> {
  const loop = new Loop(order.inFlight, run, awaited.length);
  const wire = await open(loop.events);
  loop.begin(wire);
  await pause(order.warmUpMs);
  const before = cpuOf(order);
  const begunAt = Date.now();
  const begun = performance.now();
  loop.measuringSince = begun;
  await pause(order.measureMs);
  loop.measuringSince = undefined;
  const seconds = (performance.now() - begun) / 1000;
  const after = cpuOf(order);
  loop.ending = true;
  const deadline = performance.now() + END_MS;
  while (loop.busy > 0 && !loop.failure && performance.now() < deadline) await pause(5);
  if (loop.busy > 0) loop.events.failed(new Error(`${loop.busy} sends were never answered or never delivered`));
  wire.close();
  if (loop.failure) throw loop.failure;
  const { latencies, inTenths, total } = loop;
  if (latencies.length === 0) throw new Error(`no send was done within ${order.measureMs} ms`);
  const sorted = Float64Array.from(latencies).sort();
  const microsOf = (part: keyof typeof after): number => ((after[part] - before[part]) / sorted.length) * 1e6;
  return {
    perSecond: sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    centiles: Array.from({ length: 101 }, (_, percent) => percentile(sorted, percent / 100)),
    cpuMicros: microsOf('server'),
    databaseCpuMicros: microsOf('database'),
    loadCpuMicros: microsOf('load'),
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
