// Measures the memory of a server with many open streams, on which nothing happens.
import { makeUsers, startGateway } from '../gateway.ts';
import { residentKib, settled } from '../process-usage.ts';
import type { Memory } from '../report.ts';
import type { Bench } from './bench.ts';

const STREAMS = 10_000;
const STEP = 1_400;
/** One account may have only so many streams. */
const USERS = 200;

export async function measureStreams({ load, newFolder, start }: Bench): Promise<Memory> {
  const folder = newFolder();
  const first = await startGateway(folder);
  const users = await makeUsers(first, USERS);
  // The measured server has not compared passwords, which takes memory of its own.
  await first.stop();
  const gateway = await start(folder, undefined, { SEALPOST_CONNECTIONS_PER_ADDRESS: String(2 * STREAMS) });
  // The first streams also load code and data that all later streams share.
  let all = await load.openStreams({ port: gateway.port, users, count: users.length });
  const steps: [streams: number, residentMib: number][] = [];
  for (;;) {
    await settled(gateway.pid);
    steps.push([all, residentKib(gateway.pid) / 1024]);
    if (all >= STREAMS) break;
    all = await load.openStreams({ port: gateway.port, users, count: Math.min(STEP, STREAMS - all) });
  }
  await load.closeStreams();
  const [before, after] = [steps[0]?.[1] ?? Number.NaN, steps.at(-1)?.[1] ?? Number.NaN];
  return { streams: all, kibPerStream: ((after - before) * 1024) / (all - users.length), residentMib: after, steps };
}
