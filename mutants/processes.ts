import type { Mutant } from '../scripts/mutants/mutant.ts';

const tests = 'packages/server/test/start/processes/';
const supervisor = 'packages/server/src/start/processes/supervisor.ts';
const sums = 'packages/server/src/start/processes/summed-metrics.ts';
const bus = 'packages/server/src/platform/bus/gathered-wakes.ts';
const nats = 'packages/server/src/platform/bus/nats.ts';
const ofNats = 'packages/server/test/platform/bus/nats.test.ts';

/** Faults in the supervisor, in its sums of metrics, and on the way of wake-ups. */
export default [
  {
    name: 'a wake-up does not pass the supervisor',
    file: supervisor,
    find: 'if (other !== worker && other.listens) other.child.send(message);',
    replace: 'if (other === worker && other.listens) other.child.send(message);',
    tests: [`${tests}supervisor.test.ts`],
    pattern: 'a wake-up goes to all other processes',
  },
  {
    name: 'a process that ends soon is started again without a longer wait',
    file: supervisor,
    find: 'clock.monotonic() - worker.startedAt < SOON_MS ? slot.soonEnds + 1 : 1',
    replace: '1',
    tests: [`${tests}supervisor.test.ts`],
    pattern: 'waits longer each time',
  },
  {
    name: 'a supervisor never gives up',
    file: supervisor,
    find: 'if (failures < MOST_FAILURES) return;',
    replace: 'return;',
    tests: [`${tests}supervisor.test.ts`],
    pattern: 'again and again',
  },
  {
    name: 'what a process counted is lost when it ends',
    file: sums,
    find: 'if (rising) ended =',
    replace: 'if (!rising) ended =',
    tests: [`${tests}summed-metrics.test.ts`],
    pattern: 'stays when it ends',
  },
  {
    name: 'each wake-up of a turn is sent alone',
    file: bus,
    find: '    if (scheduled) return;\n',
    replace: '    flush();\n',
    tests: ['packages/server/test/platform/bus/ipc.test.ts'],
    pattern: 'go together',
  },
  {
    name: 'NATS that refuses the credentials for a time is given up',
    file: nats,
    find: '    ignoreAuthErrorAbort: true,\n',
    replace: '',
    tests: [ofNats],
    pattern: 'a bus that was refused comes back',
  },
  {
    name: 'a wake-up while the bus closes ends the process',
    file: nats,
    find: 'closing = true;',
    replace: '',
    tests: [ofNats],
    pattern: 'a wake-up while the bus closes',
  },
] satisfies readonly Mutant[];
