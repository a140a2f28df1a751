// Waits until everything that an event caused has run, as far as it does not wait for the schedule.
import { setImmediate as turn } from 'node:timers/promises';
import type { Schedule } from './schedule.ts';

/** Number of turns of the event loop without any activity after which nothing more is expected to happen. */
const QUIET_TURNS = 2;

export async function settle(schedule: Schedule): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS || schedule.running > 0; ) {
    const before = schedule.activity;
    await turn();
    quiet = schedule.activity === before ? quiet + 1 : 0;
  }
}
