// Puts small faults into a copy of the project, one at a time, and lists the faults that no test notices.
// `npm run mutants` tries all faults.
// `npm run mutants -- part ...` tries the faults whose area and name contain one of the parts.
// `npm run mutants -- --changed [base]` tries the faults in files that changed since the base, within four minutes.
// `npm run mutants -- --list` prints the names of the faults.
// `npm run mutants -- --check` tells whether each fault can still be put into the code.
import { join } from 'node:path';
import { readOptions } from '@sealpost/dev-env/program-options';
import pg from 'pg';
import { changedFiles, touched } from './mutants/changed.ts';
import { loadMutants, type PlacedMutant, problems } from './mutants/mutant.ts';
import { type Result, runMutants } from './mutants/run-mutants.ts';
import { killTests } from './mutants/run-tests.ts';
import { commandVariable } from './test-command.ts';
import { provide, type Service, type ServiceName, serviceNames, serviceVariable } from './test-services.ts';

const WORKERS = 2;
const PATIENCE_MS = 60_000;
const CHANGED_LIMIT_MS = 4 * 60_000;

const { values: flags, positionals } = readOptions(import.meta.filename, {
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    /** The folder of the project. The tests of this program give another folder. */
    root: { type: 'string', default: join(import.meta.dirname, '..') },
    /** The minimum time in seconds for the tests of a mutant. */
    patience: { type: 'string', default: String(PATIENCE_MS / 1000) },
  },
});

const text: Readonly<Record<Result['kind'], string>> = {
  killed: 'killed    ',
  hung: 'hung      ',
  survived: 'SURVIVED  ',
  'tests fail': 'BAD TESTS ',
  'left out': 'left out  ',
};

function detail(result: Result): string {
  if (result.kind === 'killed' || result.kind === 'tests fail') return ` by "${result.by}"`;
  return result.kind === 'left out' ? `: ${result.because}` : '';
}

function chosen(mutants: readonly PlacedMutant[]): readonly PlacedMutant[] {
  if (flags.changed) {
    const files = changedFiles(flags.root, positionals[0]);
    if (!files) console.log('no earlier commit to compare with');
    return touched(mutants, files ?? new Set());
  }
  const parts = positionals;
  const found = parts.length === 0 ? mutants : mutants.filter(({ id }) => parts.some((part) => id.includes(part)));
  if (found.length === 0) throw new Error(`no mutant's name contains ${parts.join(', ')}`);
  return found;
}

/** Drops the databases of a test process that was killed before it could drop them. */
async function dropDatabases(url: string, pid: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const own = `sealpost\\_t\\_${pid}\\_%`;
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where datname like $1', [
      own,
    ]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  } finally {
    await client.end();
  }
}

function environment(needs: readonly ServiceName[]): NodeJS.ProcessEnv {
  const env = { ...process.env };
  // Tests of a mutant must start the sources, because the mutant is in the sources and not in the built command.
  delete env[commandVariable];
  for (const name of serviceNames) if (!needs.includes(name)) delete env[serviceVariable(name)];
  return env;
}

async function runAll(mutants: readonly PlacedMutant[]): Promise<void> {
  const needed = serviceNames.filter((name) => mutants.some(({ needs }) => needs?.includes(name)));
  const services = new Map<ServiceName, Service | undefined>();
  const stop = async () => {
    for (const service of services.values()) await service?.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.error(`stopped by ${signal}`);
      killTests();
      void stop().finally(() => process.exit(1));
    });
  }
  try {
    for (const name of needed) services.set(name, await provide(name));
    const served = mutants.filter(({ needs }) => needs?.every((name) => services.get(name)) ?? true);
    const unserved = mutants.length - served.length;
    const postgres = services.get('postgres')?.url;
    const results = await runMutants(served, {
      root: flags.root,
      workers: WORKERS,
      environment,
      afterwards: async (pid) => {
        if (postgres !== undefined) await dropDatabases(postgres, pid);
      },
      limitMs: flags.changed ? CHANGED_LIMIT_MS : Number.POSITIVE_INFINITY,
      patienceMs: Number(flags.patience) * 1000,
      report: ({ id }, result, seconds) =>
        console.log(`${text[result.kind]} ${seconds.toFixed(0).padStart(3)} s  ${id}${detail(result)}`),
    });
    conclude([...results.values()], unserved);
  } finally {
    await stop();
  }
}

function conclude(results: readonly Result[], unserved: number): void {
  const count = (kind: Result['kind']) => results.filter((result) => result.kind === kind).length;
  const parts = [`${count('killed')} killed`, `${count('hung')} hung`, `${count('survived')} survived`];
  if (count('tests fail') > 0) parts.push(`${count('tests fail')} whose tests fail without the fault`);
  if (count('left out') > 0) parts.push(`${count('left out')} left out because the time was over`);
  if (unserved > 0) parts.push(`${unserved} left out because a service is missing`);
  console.log(parts.join(', '));
  if (count('survived') + count('tests fail') > 0) process.exitCode = 1;
}

// Node warns about programs that call `stripTypeScriptTypes`, although it strips types itself at every run. So warnings
// are switched off.
process.removeAllListeners('warning');
const mutants = await loadMutants(flags.root);
const wrong = problems(flags.root, mutants);
if (wrong.length > 0) {
  console.error(
    `${wrong.join('\n')}\nA mutant that no longer applies: give \`find\` the line's new text, or drop it with its rule.`,
  );
  process.exitCode = 1;
} else if (flags.check) {
  console.log(`${mutants.length} mutants apply`);
} else if (flags.list) {
  for (const { id } of chosen(mutants)) console.log(id);
} else {
  const run = chosen(mutants);
  if (run.length === 0) console.log('0 mutants are touched');
  else await runAll(run);
}
