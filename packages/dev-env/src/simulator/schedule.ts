// Virtual time and the order of all that happens in a simulation. The seed decides which of the events of one moment
// comes first.
import type { Clock, Timer, Timers } from '@sealpost/contract/ports';
import type { Random } from '../workload/random.ts';

/** A process of the simulation. Its events are dropped once it has crashed. */
export interface Process {
  readonly name: string;
  alive: boolean;
}

interface Due {
  readonly at: number;
  readonly owner: Process;
  readonly run: () => unknown;
}

/**
 * Returns a promise that never settles: what a crashed process waits for. Each waits for its own, because a shared one
 * would keep all that ever waited in memory.
 */
export const never = (): Promise<never> => new Promise(() => {});

export class Schedule {
  readonly start: number;
  now: number;
  /** Number of things that happened. If it stays the same for some turns of the event loop, nothing runs any more. */
  activity = 0;
  /** Number of calls that are inside the store. */
  running = 0;
  readonly #random: Random;
  #dues: Due[] = [];

  constructor(random: Random, start: number) {
    this.#random = random;
    this.start = start;
    this.now = start;
  }

  get clock(): Clock {
    return { now: () => this.now, monotonic: () => this.now - this.start };
  }

  after(ms: number, owner: Process, run: () => unknown): Timer {
    this.activity += 1;
    const due: Due = { at: this.now + Math.max(0, Math.ceil(ms)), owner, run };
    this.#dues.push(due);
    return {
      cancel: () => {
        this.#dues = this.#dues.filter((other) => other !== due);
      },
    };
  }

  /** Returns the timers of a process. They stop when the process crashes. */
  timersOf(owner: Process): Timers {
    return {
      after: (ms, run) => this.after(ms, owner, run),
      every: (ms, run) => this.#repeat(ms, owner, run),
    };
  }

  /** Resolves after some milliseconds, but never if the process has crashed by then. */
  sleep(ms: number, owner: Process): Promise<void> {
    return new Promise((resolve) => this.after(ms, owner, resolve));
  }

  /** Runs the next event. Returns false if it is later than `until`. */
  async step(until: number): Promise<boolean> {
    this.#dues = this.#dues.filter(({ owner }) => owner.alive);
    const at = this.#dues.reduce((first, due) => Math.min(first, due.at), Number.POSITIVE_INFINITY);
    if (at > until) {
      this.now = Math.max(this.now, until);
      return false;
    }
    this.now = Math.max(this.now, at);
    const due = this.#random.pick(this.#dues.filter((some) => some.at === at));
    this.#dues.splice(this.#dues.indexOf(due), 1);
    await due.run();
    return true;
  }

  #repeat(ms: number, owner: Process, run: () => void): Timer {
    let timer: Timer | undefined;
    const arm = (): void => {
      timer = this.after(Math.max(1, ms), owner, () => {
        arm();
        run();
      });
    };
    arm();
    return { cancel: () => timer?.cancel() };
  }
}
