// Keeps a number of workers running. Each worker serves calls like a separate server, and all get their connections
// from one port. A worker that ends is started again. Workers are replaced in turn, each only when its successor serves
// calls.
import type { Clock, Timers } from '@sealpost/contract/ports';
import { ConfigError } from '../../platform/kernel/config-error.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import type { MetricsSnapshot } from '../../platform/observability/metrics.ts';
import { PART_OK } from '../readiness.ts';
import type { FromWorker, Place, ToWorker, WorkerFacts } from './messages.ts';
import { createQuestions, type Questions } from './questions.ts';
import { createSummedMetrics } from './summed-metrics.ts';

/**
 * Milliseconds that a worker has for an answer. This is less than /readyz waits for a part, so that /readyz can still
 * report the state.
 */
const ANSWER_MS = 1_500;
/** Milliseconds after its drain after which a stopping worker is killed. A normal stop takes up to 15 seconds. */
const END_MS = 30_000;
/** Milliseconds after which a worker is killed that does not serve calls. The very first one may migrate a database. */
const START_MS = 120_000;
/**
 * Milliseconds. A worker that ends within this time after its start is not restarted at once. The delay grows each
 * time.
 */
const SOON_MS = 60_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** Maximum number of consecutive failed starts. After them, the supervisor gives up. */
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
  /** Returns the data that a worker needs to start now. */
  readonly placeOf: (number: number, isFirst: boolean) => Place;
  /** Returns the milliseconds that a worker that starts now goes on after it was told to stop. */
  readonly drainMs: () => number;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after all workers have ended because one could not be started again. */
  readonly onFailed: (error: Error) => void;
}

interface Worker {
  readonly child: Child;
  readonly ended: Promise<void>;
  readonly startedAt: number;
  listens: boolean;
  /** True if the worker was told to stop. */
  leaves: boolean;
  /** Milliseconds that the worker goes on after it was told to stop. */
  readonly drainMs: number;
}

/** The position of one worker and its successors. */
interface Slot {
  readonly number: number;
  /** The worker that serves calls; undefined if there is none. */
  worker: Worker | undefined;
  /** True while a new worker for this position starts. */
  isStarting: boolean;
  /** Resolves when an ended worker was started again, or when the attempts were given up. */
  restarted: Promise<void>;
  /** Number of consecutive workers that ended soon after their start. */
  soonEnds: number;
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

export class Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #slots: readonly Slot[];
  readonly #workers = new Set<Worker>();
  readonly #sums = createSummedMetrics();
  readonly #snapshots: Questions<MetricsSnapshot>;
  readonly #signs: Questions<void>;
  #started = false;
  #stopping = false;
  #reloading = Promise.resolve();

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
    this.#slots = Array.from({ length: deps.count }, (_, i): Slot => {
      return { number: i + 1, worker: undefined, isStarting: false, restarted: Promise.resolve(), soonEnds: 0 };
    });
    this.#snapshots = createQuestions(deps.timers, ANSWER_MS);
    this.#signs = createQuestions(deps.timers, ANSWER_MS);
  }

  /**
   * Starts all workers, the first one alone, because it prepares the database.
   * @throws Error that made the start of a worker fail; the other workers have ended by then
   */
  start(): Promise<WorkerFacts> {
    return this.#startAll().catch(async (error: unknown) => {
      await this.stop();
      throw error;
    });
  }

  /**
   * Replaces the workers in turn. If a reload is requested while another one runs, the new one follows.
   * @throws Error that made the start of a successor fail; the remaining workers continue
   */
  reload(): Promise<void> {
    const next = this.#reloading.then(async () => {
      for (const slot of this.#slots) if (!this.#stopping) await this.#replace(slot);
    });
    this.#reloading = next.catch(() => {});
    return next;
  }

  /** Ends all workers, and resolves once they have ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#workers].map((worker) => this.#end(worker)));
  }

  async #startAll(): Promise<WorkerFacts> {
    const [first, ...others] = this.#slots;
    if (!first) throw new Error('a supervisor needs a worker');
    const { worker, facts } = await this.#launch(first, true);
    this.#takePlace(first, worker);
    if (this.#stopping) throw new Error('the server was stopped at its start');
    await Promise.all(others.map(async (slot) => this.#takePlace(slot, (await this.#launch(slot)).worker)));
    this.#started = true;
    for (const slot of this.#slots) if (!slot.worker) this.#restart(slot);
    return facts;
  }

  /** Starts a worker, and returns it when it serves calls. */
  async #launch(slot: Slot, isFirst = false): Promise<{ readonly worker: Worker; readonly facts: WorkerFacts }> {
    const { fork, placeOf, timers, clock, drainMs } = this.#deps;
    const child = fork();
    const listening = Promise.withResolvers<WorkerFacts>();
    const ended = Promise.withResolvers<void>();
    const worker: Worker = {
      ...{ child, ended: ended.promise, startedAt: clock.monotonic(), drainMs: drainMs() },
      ...{ listens: false, leaves: false },
    };
    this.#workers.add(worker);
    child.onMessage((message) => {
      if (message.kind === 'hello') child.send({ kind: 'place', place: placeOf(slot.number, isFirst) });
      else if (message.kind === 'listening') {
        worker.listens = true;
        listening.resolve(message.facts);
      } else if (message.kind === 'failed') {
        listening.reject(message.isConfig ? new ConfigError(message.message) : new Error(message.message));
      } else this.#hear(worker, message);
    });
    child.onEnd((how) => {
      this.#workers.delete(worker);
      this.#sums.end(worker);
      listening.reject(new Error(`process ${slot.number} ended at its start: ${how}`));
      ended.resolve();
      if (slot.worker === worker) this.#lose(slot, worker, how);
    });
    const late = isFirst ? undefined : timers.after(START_MS, () => child.kill());
    try {
      return { worker, facts: await listening.promise };
    } finally {
      late?.cancel();
    }
  }

  #hear(worker: Worker, message: FromWorker): void {
    const { child } = worker;
    if (message.kind === 'wake') {
      for (const other of this.#workers) if (other !== worker && other.listens) other.child.send(message);
    } else if (message.kind === 'snapshot-is') this.#snapshots.answer(message.id, message.snapshot);
    else if (message.kind === 'works') this.#signs.answer(message.id, undefined);
    else if (message.kind === 'metrics') {
      this.#allMetrics()
        .then((text) => child.send({ kind: 'metrics-are', id: message.id, text }))
        .catch((error: unknown) => this.#deps.logger.error({ error }, 'the metrics were not summed'));
    } else if (message.kind === 'state') {
      void this.#stateOf(message.of).then((state) => child.send({ kind: 'state-is', id: message.id, state }));
    }
  }

  async #stateOf(number: number): Promise<string> {
    const { worker, soonEnds } = this.#slots[number - 1] ?? {};
    if (!worker) return soonEnds ? 'ended; it is started again' : 'starting';
    return this.#signs
      .ask((id) => worker.child.send({ kind: 'works?', id }))
      .then(
        () => PART_OK,
        () => `no answer within ${ANSWER_MS / 1000} s`,
      );
  }

  /** Asks a worker for its metrics and stores them. If the worker does not answer, the stored metrics stay. */
  async #noteMetrics(worker: Worker): Promise<void> {
    const asked = this.#snapshots.ask((id) => worker.child.send({ kind: 'snapshot', id }));
    const snapshot = await asked.catch(() => undefined);
    if (snapshot && this.#workers.has(worker)) this.#sums.note(worker, snapshot);
  }

  async #allMetrics(): Promise<string> {
    const asked = [...this.#workers].filter(({ listens, leaves }) => listens && !leaves);
    await Promise.all(asked.map((worker) => this.#noteMetrics(worker)));
    return this.#sums.text();
  }

  /** Makes a worker that serves calls the current one of its position, unless it has already ended. */
  #takePlace(slot: Slot, worker: Worker): void {
    if (this.#workers.has(worker)) slot.worker = worker;
  }

  /** Records that the worker of a position has ended. */
  #lose(slot: Slot, worker: Worker, how: string): void {
    slot.worker = undefined;
    if (this.#stopping) return;
    const { logger, clock } = this.#deps;
    logger.error({ process: slot.number, how }, 'a process of this server ended, and is started again');
    slot.soonEnds = clock.monotonic() - worker.startedAt < SOON_MS ? slot.soonEnds + 1 : 1;
    // If a successor is already starting, no other worker is started.
    if (this.#started && !slot.isStarting) this.#restart(slot);
  }

  #restart(slot: Slot): void {
    slot.isStarting = true;
    slot.restarted = this.#startAgain(slot);
  }

  async #startAgain(slot: Slot): Promise<void> {
    for (let failures = 0; !this.#stopping && !slot.worker; ) {
      await this.#pause(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(0, slot.soonEnds - 1)));
      if (this.#stopping) break;
      this.#sums.restarted();
      try {
        this.#takePlace(slot, (await this.#launch(slot)).worker);
      } catch (error) {
        if (this.#stopping) break;
        failures += 1;
        slot.soonEnds += 1;
        await this.#noteFailure(slot, failures, error);
      }
    }
    slot.isStarting = false;
  }

  /** Records that a worker could not be started again. Gives up after too many failures. */
  async #noteFailure({ number }: Slot, failures: number, error: unknown): Promise<void> {
    const { logger, onFailed } = this.#deps;
    logger.error({ process: number, error, failures }, 'a process of this server cannot start');
    if (failures < MOST_FAILURES) return;
    await this.stop();
    onFailed(toError(error));
  }

  /** Replaces the worker of one position. */
  async #replace(slot: Slot): Promise<void> {
    // A worker that is still being started may have been given the old settings. So this call waits for it, and then
    // replaces it.
    while (slot.isStarting) await slot.restarted;
    if (this.#stopping) return;
    slot.isStarting = true;
    try {
      const { worker } = await this.#launch(slot);
      const old = slot.worker;
      this.#takePlace(slot, worker);
      if (old && old !== slot.worker) await this.#drain(old);
    } finally {
      slot.isStarting = false;
      if (!slot.worker && !this.#stopping) this.#restart(slot);
    }
  }

  async #drain(worker: Worker): Promise<void> {
    await this.#noteMetrics(worker);
    await this.#end(worker);
  }

  async #end(worker: Worker): Promise<void> {
    worker.leaves = true;
    worker.child.send({ kind: 'stop', othersServe: !this.#stopping });
    const late = this.#deps.timers.after(END_MS + worker.drainMs, () => worker.child.kill());
    await worker.ended;
    late.cancel();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#deps.timers.after(ms, resolve));
  }
}
