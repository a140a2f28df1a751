// Tells for each part of the server whether it can work. Anybody may ask this, even often. So an answer is reused for a
// moment, contains no addresses or paths, and waits only a limited time for each part. The log tells the cause of a
// failure.
import { statfs } from 'node:fs/promises';
import type { Clock, Timers } from '@sealpost/contract/ports';
import type { Logger } from '../platform/kernel/logger.ts';
import { StoreFull } from '../platform/store/store.ts';

const LIMIT_MS = 2_000;
/** Milliseconds for which an answer is reused. */
const FRESH_MS = 1_000;
/** The state of a part that can work. */
export const PART_OK = 'ok';
const LATE = `no answer within ${LIMIT_MS / 1000} s`;

/** The check of each part. A check throws if its part cannot work. */
export type Parts = Readonly<Record<string, () => Promise<void>>>;

export interface ReadinessDeps {
  readonly parts: Parts;
  /** The names of the parts that the server can work without. */
  readonly optional: readonly string[];
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
}

/**
 * `degraded`: all calls work, and some are slower, because a part that is not required is missing. `unavailable`: a
 * required part is missing.
 */
export type ReadyState = 'ok' | 'degraded' | 'unavailable';

/** Checks all parts. Returns "ok" for each part that can work, and the reason for each other part. */
export type Readiness = () => Promise<{
  readonly state: ReadyState;
  /** The names of the parts that the server cannot work without. */
  readonly required: readonly string[];
  readonly parts: Readonly<Record<string, string>>;
}>;

export function createReadiness({ parts, optional, ...deps }: ReadinessDeps): Readiness {
  const watched = Object.entries(parts).map(([name, check]) => [name, watch(name, check, deps)] as const);
  const required = Object.keys(parts).filter((name) => !optional.includes(name));
  return async () => {
    const states = await Promise.all(watched.map(async ([name, look]) => [name, await look()] as const));
    const missing = states.flatMap(([name, state]) => (state === PART_OK ? [] : [name]));
    return { state: stateOf(missing, required), required, parts: Object.fromEntries(states) };
  };
}

function stateOf(missing: readonly string[], required: readonly string[]): ReadyState {
  if (missing.length === 0) return 'ok';
  return missing.some((name) => required.includes(name)) ? 'unavailable' : 'degraded';
}

/**
 * Returns a function that checks one part. Callers that ask at the same time share one check. While a check hangs, no
 * other check starts.
 */
function watch(
  name: string,
  check: () => Promise<void>,
  { clock, timers, log }: Omit<ReadinessDeps, 'parts' | 'optional'>,
): () => Promise<string> {
  let known: { readonly state: string; readonly until: number } | undefined;
  let look: Promise<string> | undefined;
  let told = PART_OK;

  function tell(state: string, error?: unknown): string {
    if (state !== told) {
      told = state;
      if (state === PART_OK) log.info({ part: name }, 'a part is ready again');
      else log.warn({ part: name, state, error }, 'a part is not ready');
    }
    return state;
  }

  function start(): Promise<string> {
    return new Promise((resolve) => {
      const timer = timers.after(LIMIT_MS, () => resolve(tell(LATE)));
      const end = (state: string, error?: unknown): void => {
        timer.cancel();
        known = { state, until: clock.monotonic() + FRESH_MS };
        look = undefined;
        resolve(tell(state, error));
      };
      check().then(
        () => end(PART_OK),
        (error: unknown) => end(shown(error), error),
      );
    });
  }

  return () => {
    if (known && clock.monotonic() < known.until) return Promise.resolve(known.state);
    look ??= start();
    return look;
  };
}

/** Error for a part that cannot work. `shown` is a reason that may be told to strangers. */
export class NotReady extends Error {
  override name = 'NotReady';
  readonly shown: string;
  /** @param detail the reason for the log, which strangers do not see */
  constructor(shown: string, detail: string) {
    super(detail);
    this.shown = shown;
  }
}

function shown(error: unknown): string {
  if (error instanceof NotReady) return error.shown;
  return error instanceof StoreFull ? 'the disk is full' : 'unavailable; the log says why';
}

/** Returns the check for free space on the disks of these folders. If the limit is 0 bytes, nothing is checked. */
export function diskPart(folders: readonly string[], leastFreeBytes: number): () => Promise<void> {
  return async () => {
    if (leastFreeBytes === 0) return;
    for (const folder of new Set(folders)) {
      const { bavail, bsize } = await statfs(folder);
      const free = bavail * bsize;
      if (free >= leastFreeBytes) continue;
      throw new NotReady(
        'less disk is free than least-free-bytes',
        `${folder} has ${free} bytes free; least-free-bytes is ${leastFreeBytes}`,
      );
    }
  };
}
