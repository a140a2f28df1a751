// Sends to the floor, to SQLite and to PostgreSQL, in turn.
import { makeUsers } from '../gateway.ts';
import type { GatewayMeasure } from '../load.ts';
import { createDatabase } from '../postgres.ts';
import type { Report } from '../report.ts';
import { resultOf, type Scenario, type ScenarioName, scenarios } from '../scenarios.ts';
import { type Bench, say, type Target, USERS } from './bench.ts';

/** @param parts the letters of the parts of the bench that are wanted. The floor runs with each. */
export async function measureSends(bench: Bench, parts: ReadonlySet<string>, report: Report): Promise<void> {
  const wanted = scenarios.filter(({ part }) => part === 'c' || parts.has(part));
  const targets = await targetsFor(bench, parts.has('b'), report);
  const measures = new Map<ScenarioName, GatewayMeasure[]>();
  // The results of the first round do not count, because a new server is still compiling its code. The floor has far
  // less code, so counting them would be unfair.
  for (let round = 0; round <= bench.rounds; round++) {
    for (const scenario of wanted) {
      const target = targets.get(scenario.store);
      if (!target) continue;
      const measured = await bench.measure(target, scenario);
      if (round === 0) continue;
      measures.set(scenario.name, [...(measures.get(scenario.name) ?? []), measured]);
      report.responseBytes = Math.max(report.responseBytes, measured.responseBytes);
      say(
        `round ${round}: ${scenario.title}, ${scenario.inFlight} in flight: ${measured.perSecond.toFixed(0)}/s, p99 ${measured.p99.toFixed(1)} ms, ${measured.cpuMicros.toFixed(0)} µs`,
      );
    }
  }
  for (const [name, of] of measures) report.sends.set(name, resultOf(of));
}

async function targetsFor(
  { prepared, startFloor, startStoringFloor, start, copyOf, newFolder, later }: Bench,
  delivers: boolean,
  report: Report,
): Promise<Map<Scenario['store'], Target>> {
  const targets = new Map<Scenario['store'], Target>([['none', await startFloor()]]);
  const { port, pid } = await start(copyOf(prepared.folder));
  targets.set('sqlite', { port, pid, users: prepared.users });
  if (!delivers) return targets;
  targets.set('bare-sqlite', await startStoringFloor('sqlite', copyOf(prepared.folder), prepared.users));
  const database = await createDatabase();
  if (!database) {
    say('no PostgreSQL: set SEALPOST_BENCH_POSTGRES_URL');
    return targets;
  }
  later(database, (it) => it.drop());
  report.postgres = database.version;
  say('making users on PostgreSQL');
  const gateway = await start(newFolder(), database.url);
  // The floor writes rows of which the server knows nothing, so it has users of its own.
  const users = await makeUsers(gateway, 2 * USERS);
  targets.set('postgres', { port: gateway.port, pid: gateway.pid, users: users.slice(0, USERS) });
  targets.set('bare-postgres', await startStoringFloor('postgres', database.url, users.slice(USERS)));
  return targets;
}
