// `node bench/testing.ts [--rounds n]`: measures what tests pay for servers of their own. These are a warm start with two
// accounts, a reset, a fork, and a day of virtual time. A busy machine changes the processor time less than the elapsed
// time.
import { readOptions } from '@sealpost/dev-env/program-options';
import { startTestServer, type TestServer } from '@sealpost/testing';
import { median } from './statistics.ts';

const ACCOUNTS = ['alice', 'bob'];
/** Starts that do not count: they load and compile the code. */
const WARMING = 3;

const started = (): Promise<TestServer> => startTestServer({ seed: 7, accounts: ACCOUNTS });

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await work();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

const { values } = readOptions(import.meta.filename, { options: { rounds: { type: 'string', default: '20' } } });
const costs = new Map<string, Cost[]>();
const note = (name: string, cost: Cost): void => void costs.set(name, [...(costs.get(name) ?? []), cost]);

for (let round = -WARMING; round < Number(values.rounds); round += 1) {
  let server: TestServer | undefined;
  const start = await costOf(async () => {
    server = await started();
  });
  if (!server) throw new Error('the server did not start');
  const mine = server;
  const reset = await costOf(() => mine.reset());
  let forked: TestServer | undefined;
  const fork = await costOf(async () => {
    forked = await mine.fork();
  });
  const day = await costOf(() => mine.clock.advance('24h'));
  await forked?.close();
  await mine.close();
  if (round < 0) continue;
  note('start', start);
  note('reset', reset);
  note('fork', fork);
  note('24 hours of virtual time', day);
}
for (const [name, measured] of costs) {
  const list = (numbers: readonly number[]): string =>
    `${median(numbers).toFixed(0)} (${Math.min(...numbers).toFixed(0)} to ${Math.max(...numbers).toFixed(0)})`;
  console.log(
    `${name}: ${list(measured.map(({ ms }) => ms))} ms, ${list(measured.map(({ cpuMs }) => cpuMs))} ms of processor time`,
  );
}
