// Timers of a server without regular work, so that only the calls of a test query the database.
import type { Timers } from '@sealpost/contract/ports';
import { systemPorts } from '../src/platform/kernel/system.ts';
import { ROUND_MS } from '../src/platform/subscriber/log-subscriber.ts';

const never: Timers['every'] = () => ({ cancel: () => {} });
const { timers } = systemPorts;

export const noRegularWork: Timers = {
  every: never,
  // The rounds of log subscribers follow each other by such a timer.
  after: (ms, run, options) => (ms === ROUND_MS ? never(ms, run) : timers.after(ms, run, options)),
};
