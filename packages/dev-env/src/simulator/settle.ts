// Waits until everything that an event caused has run, as far as it does not wait for the schedule.
import { setImmediate as turn } from 'node:timers/promises';
import type { Schedule } from './schedule.ts';

export async function settle(schedule: Schedule): Promise<void> {
  // Only the store waits for turns of the event loop, and `running` counts its calls. All else ends within one turn.
  for (let before: number | undefined; before !== schedule.activity || schedule.running > 0; ) {
    before = schedule.activity;
    await turn();
  }
}
