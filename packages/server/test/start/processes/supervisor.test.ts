// The supervisor with children that the test plays, and timers that the test fires.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Timers } from '@sealpost/contract/ports';
import { until } from '@sealpost/dev-env/until';
import { pino } from 'pino';
import { ConfigError } from '../../../src/platform/kernel/config-error.ts';
import { loadConfig } from '../../../src/start/config/config.ts';
import type { FromWorker, ToWorker } from '../../../src/start/processes/messages.ts';
import { Supervisor } from '../../../src/start/processes/supervisor.ts';

/** Milliseconds that a process has for its start. */
const START_MS = 120_000;
const config = loadConfig('serve', { flags: {}, env: {} });
const shown = {
  url: 'http://x',
  version: '1',
  metricsUrl: 'http://x/metrics',
  webClient: 'none',
  store: { location: 'p' },
} as const;

/** A child that the test plays. It answers nothing by itself but `stop`. */
function createChild() {
  const got: ToWorker[] = [];
  let tell: (message: FromWorker) => void = () => {};
  let end: (how: string) => void = () => {};
  return {
    got,
    tell: (message: FromWorker) => tell(message),
    listen: () => tell({ kind: 'listening', facts: { shown, setup: undefined } }),
    die: (how = 'SIGKILL') => end(how),
    killed: false,
    child: {
      send(message: ToWorker) {
        got.push(message);
        if (message.kind === 'stop') queueMicrotask(() => end('exit code 0'));
        if (message.kind === 'snapshot')
          queueMicrotask(() => tell({ kind: 'snapshot-is', id: message.id, snapshot: [] }));
      },
      onMessage: (listener: typeof tell) => {
        tell = listener;
      },
      onEnd: (listener: typeof end) => {
        end = listener;
      },
      kill: () => end('SIGKILL'),
    },
  };
}

function stage(count: number) {
  const children: ReturnType<typeof createChild>[] = [];
  const waits: { ms: number; run: () => void }[] = [];
  const failures: Error[] = [];
  let now = 0;
  const timers: Timers = {
    after(ms, run) {
      const wait = { ms, run };
      waits.push(wait);
      return { cancel: () => void waits.splice(0, waits.length, ...waits.filter((other) => other !== wait)) };
    },
    every: () => ({ cancel() {} }),
  };
  const supervisor = new Supervisor({
    drainMs: () => 0,
    count,
    timers,
    clock: { now: () => now, monotonic: () => now },
    logger: pino({ level: 'silent' }),
    placeOf: (number, isFirst) => ({ number, isFirst, secret: 's', config }),
    fork() {
      const child = createChild();
      children.push(child);
      return child.child;
    },
    onFailed: (error) => failures.push(error),
  });
  const forked = (n: number) => until(() => children.length === n, `${n} processes were started`);
  return {
    ...{ supervisor, children, waits, failures, forked },
    at: (n: number) => children[n] as ReturnType<typeof createChild>,
    pass: (ms: number) => {
      now += ms;
    },
    /** Ends the only wait, and returns how long it would have taken. */
    async fire(): Promise<number> {
      const pauses = () => waits.filter(({ ms }) => ms !== START_MS);
      await until(() => pauses().length === 1, 'something waits');
      const [wait] = pauses();
      waits.splice(0, waits.length, ...waits.filter((other) => other !== wait));
      wait?.run();
      return wait?.ms ?? 0;
    },
    /** Starts as many processes as there should be. */
    async started() {
      const starting = supervisor.start();
      for (let n = 1; n <= count; n += 1) {
        await forked(n === 1 ? 1 : count);
        children[n - 1]?.listen();
      }
      return starting;
    },
  };
}

test('the first process starts alone, and gets its place when it asks', async () => {
  const { supervisor, at, forked, children } = stage(3);
  const starting = supervisor.start();
  at(0).tell({ kind: 'hello' });
  assert.deepEqual(
    at(0).got.map((message) => message.kind === 'place' && [message.place.number, message.place.isFirst]),
    [[1, true]],
  );
  assert.equal(children.length, 1);
  at(0).listen();
  await forked(3);
  at(2).tell({ kind: 'hello' });
  assert.deepEqual(
    at(2).got.map((message) => message.kind === 'place' && [message.place.number, message.place.isFirst]),
    [[3, false]],
  );
  at(1).listen();
  at(2).listen();
  assert.deepEqual((await starting).shown, shown);
});

test('a wake-up goes to all other processes', async () => {
  const { started, at } = stage(3);
  await started();
  const wake = { kind: 'wake', of: 'log', accountIds: [7] } as const;
  at(1).tell(wake);
  assert.deepEqual([at(0).got, at(1).got, at(2).got], [[wake], [], [wake]]);
});

test('a process that fails at the first start ends the start with its error, and the others', async () => {
  const { supervisor, at, forked } = stage(2);
  const starting = supervisor.start();
  at(0).listen();
  await forked(2);
  at(1).tell({ kind: 'failed', message: 'port is "x"; it must be a number', isConfig: true });
  at(1).die('exit code 1');
  await assert.rejects(starting, (error) => error instanceof ConfigError && /port is "x"/.test(error.message));
  assert.deepEqual(at(0).got, [{ kind: 'stop', othersServe: false }]);
});

test('a process that ends is started again, and waits longer each time if it ends soon', async () => {
  const { started, at, forked, fire, pass } = stage(1);
  await started();
  const waited: number[] = [];
  for (let n = 1; n <= 9; n += 1) {
    at(n - 1).die();
    waited.push(await fire());
    await forked(n + 1);
    at(n).listen();
    await until(() => at(n).got.length === 0, 'it takes its place');
    await new Promise(setImmediate);
  }
  assert.deepEqual(waited, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  pass(60_000);
  at(9).die();
  assert.equal(await fire(), 250, 'a process that ran for a minute is started again at once');
});

test('a process that fails at its start again and again ends the others, with its error', async () => {
  const { started, at, forked, fire, failures, children } = stage(2);
  await started();
  at(1).die();
  for (let n = 2; n < 7; n += 1) {
    await fire();
    await forked(n + 1);
    at(n).tell({ kind: 'failed', message: `failure ${n}`, isConfig: false });
    at(n).die('exit code 1');
  }
  await until(() => failures.length === 1, 'the supervisor gives up');
  assert.equal(failures[0]?.message, 'failure 6');
  assert.deepEqual(at(0).got, [{ kind: 'stop', othersServe: false }]);
  assert.equal(children.length, 7);
});

test('a reload starts each successor before it ends the process in its place, one after another', async () => {
  const { supervisor, started, at, forked, children } = stage(2);
  await started();
  const ends = (n: number) => at(n).got.some(({ kind }) => kind === 'stop');
  const reloading = supervisor.reload();
  await forked(3);
  assert.deepEqual([ends(0), ends(1)], [false, false]);
  at(2).listen();
  await forked(4);
  assert.deepEqual([ends(0), ends(1)], [true, false]);
  at(3).listen();
  await reloading;
  assert.deepEqual([ends(0), ends(1), ends(2), ends(3), children.length], [true, true, false, false, 4]);
});

test('a reload whose first successor cannot start leaves all processes as they are', async () => {
  const { supervisor, started, at, forked, children } = stage(2);
  await started();
  const reloading = supervisor.reload();
  await forked(3);
  at(2).tell({ kind: 'failed', message: 'no bucket', isConfig: false });
  at(2).die('exit code 1');
  await assert.rejects(reloading, /no bucket/);
  assert.deepEqual([at(0).got, at(1).got, children.length], [[], [], 3]);
});

test('a reload replaces a process that was just being started again, because that may have the old settings', async () => {
  const { supervisor, started, at, forked, fire, children } = stage(1);
  await started();
  at(0).die();
  await fire();
  await forked(2);
  const reloading = supervisor.reload();
  at(1).listen();
  await forked(3);
  at(2).listen();
  await reloading;
  assert.deepEqual(at(1).got.at(-1), { kind: 'stop', othersServe: true });
  assert.equal(children.length, 3);
});

test('a process that ends while its successor starts is not started a second time', async () => {
  const { supervisor, started, at, forked, children, waits } = stage(1);
  await started();
  const reloading = supervisor.reload();
  await forked(2);
  at(0).die();
  at(1).listen();
  await reloading;
  assert.deepEqual([children.length, waits.length], [2, 0]);
});

test('a stop ends all processes, also one that is just starting, and starts none again', async () => {
  const { supervisor, started, at, forked, children } = stage(2);
  await started();
  const reloading = supervisor.reload();
  await forked(3);
  await supervisor.stop();
  await assert.rejects(reloading, /ended at its start/);
  assert.deepEqual(
    [0, 1, 2].map((n) => at(n).got),
    Array.from({ length: 3 }, () => [{ kind: 'stop', othersServe: false }]),
  );
  assert.equal(children.length, 3);
});

test('the state of each process is told: it works, it does not answer, it is started again', async () => {
  const { started, at, fire } = stage(2);
  await started();
  const stateOf = async (of: number, id: number) => {
    at(0).tell({ kind: 'state', id, of });
    await new Promise(setImmediate);
  };
  const told = () => at(0).got.flatMap((message) => (message.kind === 'state-is' ? [[message.id, message.state]] : []));
  await stateOf(2, 10);
  for (const message of at(1).got) if (message.kind === 'works?') at(1).tell({ kind: 'works', id: message.id });
  await new Promise(setImmediate);
  assert.deepEqual(told(), [[10, 'ok']]);
  await stateOf(2, 11);
  await fire();
  await new Promise(setImmediate);
  assert.deepEqual(told().slice(1), [[11, 'no answer within 1.5 s']]);
  at(1).die();
  await stateOf(2, 12);
  assert.deepEqual(told().slice(2), [[12, 'ended; it is started again']]);
});

test('a process that hangs at its start is killed, and counts as one that cannot start', async () => {
  const { started, at, forked, waits, fire } = stage(2);
  await started();
  at(1).die();
  await fire();
  await forked(3);
  await until(() => waits.some(({ ms }) => ms === START_MS), 'the start has a limit');
  waits.find(({ ms }) => ms === START_MS)?.run();
  await fire();
  await forked(4);
  at(3).listen();
  await until(() => waits.length === 0, 'the limit ends with the start');
});
