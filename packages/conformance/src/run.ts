// Runs checks, several at the same time. Each check creates the accounts and chats that it needs, so the order of the
// checks does not matter.
import type { AdminClient } from '@sealpost/sdk/admin';
import type { Check } from './check.ts';
import { Mismatch } from './mismatch.ts';
import { clock, timers } from './surroundings.ts';
import type { Target } from './target.ts';
import { createWorld, type World } from './world.ts';

export interface Failure {
  readonly expected: string;
  readonly seen: string;
}

export interface Outcome {
  readonly check: Check;
  readonly milliseconds: number;
  readonly failure?: Failure;
}

export interface Report {
  readonly target: Target;
  readonly outcomes: readonly Outcome[];
  readonly milliseconds: number;
}

export interface RunOptions {
  readonly target: Target;
  readonly admin: AdminClient;
  readonly checks: readonly Check[];
  /** Called when a check ends, with its outcome. */
  readonly onOutcome?: (outcome: Outcome) => void;
  /** A signal that ends the run early. The run still deletes everything that it created. */
  readonly signal?: AbortSignal;
}

const AT_ONCE = 6;
const CHECK_TIMEOUT_MS = 90_000;

export async function runChecks({ target, admin, checks, onOutcome, signal }: RunOptions): Promise<Report> {
  const world = createWorld(target, admin);
  const outcomes: Outcome[] = [];
  const started = clock.monotonic();
  const rest = [...checks];
  const worker = async (): Promise<void> => {
    for (let check = rest.shift(); check && !signal?.aborted; check = rest.shift()) {
      const outcome = await runCheck(check, world);
      outcomes.push(outcome);
      onOutcome?.(outcome);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    await world.dispose();
  }
  const order = new Map(checks.map((check, index) => [check, index]));
  outcomes.sort((a, b) => (order.get(a.check) ?? 0) - (order.get(b.check) ?? 0));
  return { target, outcomes, milliseconds: Math.round(clock.monotonic() - started) };
}

async function runCheck(check: Check, world: World): Promise<Outcome> {
  const started = clock.monotonic();
  const failure = await failureOf(check, world);
  return { check, milliseconds: Math.round(clock.monotonic() - started), ...(failure && { failure }) };
}

async function failureOf(check: Check, world: World): Promise<Failure | undefined> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const late = new Mismatch('the check to end', `nothing for ${CHECK_TIMEOUT_MS / 1000} s`);
  const timer = timers.after(CHECK_TIMEOUT_MS, () => reject(late));
  try {
    await Promise.race([check.run(world), timeout]);
    return undefined;
  } catch (error) {
    if (error instanceof Mismatch) return { expected: error.expected, seen: error.seen };
    return { expected: check.expects, seen: error instanceof Error ? error.message : String(error) };
  } finally {
    timer.cancel();
  }
}
