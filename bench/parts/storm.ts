// Sends without other load, and directly afterwards sends during many logins at once.
import { startLoad } from '../load-process.ts';
import type { StormResult, StormRound } from '../report-storm.ts';
import { type Bench, say } from './bench.ts';

const LOGINS = 32;
const SENDS = 64;

export async function measureStorm(bench: Bench): Promise<StormResult> {
  const { prepared, rounds, times, later, measure } = bench;
  const { port, pid } = await bench.start(bench.copyOf(prepared.folder));
  const target = { port, pid, users: prepared.users };
  const sends = { inFlight: SENDS, delivered: false };
  const storming = later(await startLoad(), (process) => process.stop());
  const order = { port, users: prepared.users.length, inFlight: LOGINS, ms: times.warmUpMs + times.measureMs };
  const results: StormRound[] = [];
  for (let round = 1; round <= rounds; round++) {
    const calm = await measure(target, sends);
    const [storm, stormy] = await Promise.all([storming.logIn(order), measure(target, sends)]);
    results.push({ calm, stormy, storm });
    say(
      `round ${round}: ${calm.perSecond.toFixed(0)}/s, p99 ${calm.p99.toFixed(1)} ms; in the storm ${stormy.perSecond.toFixed(0)}/s, p99 ${stormy.p99.toFixed(1)} ms, ${storm.loginsPerSecond.toFixed(0)} logins/s`,
    );
  }
  return { inFlight: SENDS, logins: LOGINS, rounds: results };
}
