// What the actors of a simulation beside the users share: guests, uploads, keys, the sealed group.
import { type Client, GatewayError } from '@sealpost/sdk';
import type { Random } from '../workload/random.ts';
import { type Device, DeviceCrashed } from './device.ts';
import type { Judge } from './judge.ts';
import type { Moves } from './moves.ts';
import type { Network } from './network.ts';
import { never, type Process, type Schedule } from './schedule.ts';

const RETRY_MS = 600;

export interface ActorDeps {
  readonly seed: number;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly network: Network;
  readonly world: Process;
  readonly judge: Judge;
  readonly moves: Moves;
  readonly note: (what: string, ...details: readonly unknown[]) => void;
}

/**
 * Does some work again and again until it succeeds. In between, connections break. A refusal of the server that no other
 * try can change breaks a rule.
 * @param onFailure called after each failure
 */
export async function persistent<T>(
  { schedule, world, judge }: ActorDeps,
  work: () => Promise<T>,
  onFailure: () => void = () => {},
): Promise<T> {
  while (world.alive) {
    try {
      return await work();
    } catch (error) {
      if (isFinal(error)) judge.violated('expected', `the server refused what nothing forbids: ${error}`);
      onFailure();
    }
    await schedule.sleep(RETRY_MS, world);
  }
  return never();
}

/** Lets a device do its work until it succeeds. In between, the device may be down. */
export const repeated = <T>(
  deps: ActorDeps,
  device: Device,
  work: (client: Client) => Promise<T>,
  onFailure?: () => void,
): Promise<T> =>
  persistent(
    deps,
    async () => {
      if (!device.process.alive) throw new DeviceCrashed();
      return device.orCrash(work(device.client));
    },
    onFailure,
  );

/** Somebody else writes the object, or the bytes do not begin where the object ends. */
const PASSING: readonly number[] = [409, 416, 423, 429];

const isFinal = (error: unknown): boolean =>
  !(error instanceof DeviceCrashed) && error instanceof GatewayError && !error.retry && !PASSING.includes(error.http);
