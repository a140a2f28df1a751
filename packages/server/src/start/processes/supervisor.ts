// Keeps a number of workers running. Each serves calls like a server of its own, and all take connections from one port.
// A worker that ends is started again. Workers are replaced in turn, each after its successor takes calls.
import type { Clock, Timers } from '@sealpost/contract/ports';
import { ConfigError } from '../../platform/kernel/config-error.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import type { MetricsSnapshot } from '../../platform/observability/metrics.ts';
import { PART_OK } from '../readiness.ts';
import type { FromWorker, Place, ToWorker, WorkerFacts } from './messages.ts';
import { createQuestions } from './questions.ts';
import { createSummedMetrics } from './summed-metrics.ts';

/** Milliseconds that a worker has for an answer. Less than those of a part in /readyz, so that the state is told. */
const ANSWER_MS = 1_500;
/** Milliseconds after which a worker is killed that does not end by itself. A regular end takes up to 15 seconds. */
const END_MS = 30_000;
/** A worker that ends within this time after its start waits before it is started again, each time longer. */
const SOON_MS = 60_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** Starts that may fail in a row before the supervisor gives up. */
const MOST_FAILURES = 5;

/** A child process, as the supervisor sees it. */
export interface Child {
  readonly send: (message: ToWorker) => void;
  readonly onMessage: (listener: (message: FromWorker) => void) => void;
  /** Calls the listener once the process has ended, with its exit code or the signal that ended it. */
  readonly onEnd: (listener: (how: string) => void) => void;
  readonly kill: () => void;
}

export interface SupervisorDeps {
  readonly count: number;
  readonly fork: () => Child;
  /** Returns what a worker needs to start now. */
  readonly placeOf: (number: number, isFirst: boolean) => Place;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called if a worker cannot be started again. All workers have ended then. */
  readonly onFailed: (error: Error) => void;
}

export interface Supervisor {
  /**
   * Starts all workers, the first one alone, because it prepares the database.
   * @throws Error the error of a worker that cannot start
   */
  start(): Promise<WorkerFacts>;
  /** Replaces the workers in turn. */
  reload(): Promise<void>;
  /** Ends all workers, and resolves once they have ended. */
  stop(): Promise<void>;
}

interface Worker {
  readonly child: Child;
  readonly slot: Slot;
  readonly ended: Promise<void>;
  startedAt: number;
  listens: boolean;
  /** True if the worker was told to end. */
  leaves: boolean;
}

/** The place of one worker and its successors. */
interface Slot {
  readonly number: number;
  /** The worker that takes calls; undefined if there is none. */
  worker: Worker | undefined;
  /** True while a successor starts. */
  isStarting: boolean;
  /** Workers in a row that ended soon after their start. */
  soonEnds: number;
}

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { timers, clock, logger } = deps;
  const slots = Array.from({ length: deps.count }, (_, i): Slot => {
    return { number: i + 1, worker: undefined, isStarting: false, soonEnds: 0 };
  });
  const workers = new Set<Worker>();
  const sums = createSummedMetrics();
  const snapshots = createQuestions<MetricsSnapshot>(timers, ANSWER_MS);
  const signs = createQuestions<void>(timers, ANSWER_MS);
  let started = false;
  let stopping = false;

  /** Starts a worker, and returns it once it takes calls. */
  async function launch(slot: Slot, isFirst = false): Promise<{ worker: Worker; facts: WorkerFacts }> {
    const child = deps.fork();
    const listening = Promise.withResolvers<WorkerFacts>();
    const ended = Promise.withResolvers<void>();
    const worker: Worker = {
      ...{ child, slot, ended: ended.promise, startedAt: clock.monotonic() },
      ...{ listens: false, leaves: false },
    };
    workers.add(worker);
    child.onMessage((message) => {
      if (message.kind === 'hello') child.send({ kind: 'place', place: deps.placeOf(slot.number, isFirst) });
      else if (message.kind === 'listening') {
        worker.listens = true;
        listening.resolve(message.facts);
      } else if (message.kind === 'failed') {
        listening.reject(message.isConfig ? new ConfigError(message.message) : new Error(message.message));
      } else heard(worker, message);
    });
    child.onEnd((how) => {
      workers.delete(worker);
      sums.end(worker);
      listening.reject(new Error(`process ${slot.number} ended at its start: ${how}`));
      ended.resolve();
      if (slot.worker === worker) lost(slot, worker, how);
    });
    return { worker, facts: await listening.promise };
  }

  function heard(worker: Worker, message: FromWorker): void {
    if (message.kind === 'wake') {
      for (const other of workers) if (other !== worker && other.listens) other.child.send(message);
    } else if (message.kind === 'snapshot-is') snapshots.answer(message.id, message.snapshot);
    else if (message.kind === 'works') signs.answer(message.id, undefined);
    else if (message.kind === 'metrics') {
      void allMetrics().then((text) => worker.child.send({ kind: 'metrics-are', id: message.id, text }));
    } else if (message.kind === 'state') {
      void stateOf(message.of).then((state) => worker.child.send({ kind: 'state-is', id: message.id, state }));
    }
  }

  async function stateOf(number: number): Promise<string> {
    const { worker, soonEnds } = slots[number - 1] ?? {};
    if (!worker) return soonEnds ? 'ended; it is started again' : 'starting';
    const sign = signs.ask((id) => worker.child.send({ kind: 'works?', id }));
    return sign.then(
      () => PART_OK,
      () => `no answer within ${ANSWER_MS / 1000} s`,
    );
  }

  /** Asks a worker for its metrics. If it does not answer, its last ones stay. */
  async function noteMetrics(worker: Worker): Promise<void> {
    const asked = snapshots.ask((id) => worker.child.send({ kind: 'snapshot', id }));
    const snapshot = await asked.catch(() => undefined);
    if (snapshot && workers.has(worker)) sums.note(worker, snapshot);
  }

  async function allMetrics(): Promise<string> {
    await Promise.all([...workers].filter(({ listens, leaves }) => listens && !leaves).map(noteMetrics));
    return sums.text();
  }

  /** Notes that a worker has ended that took calls. */
  function lost(slot: Slot, worker: Worker, how: string): void {
    slot.worker = undefined;
    if (stopping) return;
    logger.error({ process: slot.number, how }, 'a process of this server ended, and is started again');
    slot.soonEnds = clock.monotonic() - worker.startedAt < SOON_MS ? slot.soonEnds + 1 : 1;
    // If a successor starts already, it takes the place.
    if (started && !slot.isStarting) void restart(slot);
  }

  async function restart(slot: Slot): Promise<void> {
    slot.isStarting = true;
    for (let failures = 0; !stopping && slot.worker === undefined; ) {
      await pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (slot.soonEnds - 1)));
      if (stopping) break;
      sums.restarted();
      try {
        takePlace(slot, (await launch(slot)).worker);
      } catch (error) {
        if (stopping) break;
        failures += 1;
        slot.soonEnds += 1;
        logger.error({ process: slot.number, error, failures }, 'a process of this server cannot start');
        if (failures >= MOST_FAILURES) {
          await stop();
          deps.onFailed(error instanceof Error ? error : new Error(String(error)));
        }
      }
    }
    slot.isStarting = false;
  }

  /** Lets a worker that takes calls have the place, unless it has ended already. */
  function takePlace(slot: Slot, worker: Worker): void {
    if (workers.has(worker)) slot.worker = worker;
  }

  const pause = (ms: number) => new Promise<void>((resolve) => void timers.after(ms, resolve));

  async function drain(worker: Worker): Promise<void> {
    await noteMetrics(worker);
    await end(worker);
  }

  function end(worker: Worker): Promise<void> {
    worker.leaves = true;
    worker.child.send({ kind: 'stop' });
    const late = timers.after(END_MS, () => worker.child.kill());
    return worker.ended.then(() => late.cancel());
  }

  async function stop(): Promise<void> {
    stopping = true;
    await Promise.all([...workers].map(end));
  }

  async function startAll(): Promise<WorkerFacts> {
    const [first, ...others] = slots;
    if (!first) throw new Error('a supervisor needs a worker');
    const { worker, facts } = await launch(first, true);
    takePlace(first, worker);
    if (stopping) throw new Error('the server was stopped at its start');
    await Promise.all(others.map(async (slot) => takePlace(slot, (await launch(slot)).worker)));
    started = true;
    for (const slot of slots) if (!slot.worker && !slot.isStarting) void restart(slot);
    return facts;
  }

  /** Replaces the worker of one place. */
  async function replace(slot: Slot): Promise<void> {
    // A worker that is being started again begins with the new settings anyway.
    if (slot.isStarting) return;
    slot.isStarting = true;
    try {
      const { worker } = await launch(slot);
      const old = slot.worker;
      takePlace(slot, worker);
      if (old && old !== slot.worker) await drain(old);
    } finally {
      slot.isStarting = false;
      if (!slot.worker && !stopping) void restart(slot);
    }
  }

  let reloading = Promise.resolve();
  async function replaceAll(): Promise<void> {
    for (const slot of slots) {
      if (stopping) return;
      await replace(slot);
    }
  }

  return {
    start: () =>
      startAll().catch(async (error: unknown) => {
        await stop();
        throw error;
      }),
    reload() {
      const next = reloading.then(replaceAll);
      reloading = next.catch(() => {});
      return next;
    },
    stop,
  };
}
