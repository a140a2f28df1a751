// The campaigns: long runs of tests and programs that look for harm. Each has a short form in `npm test`.

export interface Campaign {
  readonly name: string;
  readonly what: string;
  /** The test file of the short form, which `npm test` runs. */
  readonly test: string;
  /**
   * The long form. `repeats`: the value of SEALPOST_TEST_REPEATS. `times`: the number of runs, for a test without
   * repeats. `script`: a script of package.json with its arguments.
   */
  readonly long: { readonly repeats: number } | { readonly times: number } | { readonly script: readonly string[] };
  /** How much the long form does. */
  readonly size: string;
}

const crash = 'packages/server/test/crash';
const start = 'packages/server/test/start';
const platform = 'packages/server/test/platform';

export const campaigns: readonly Campaign[] = [
  {
    name: 'kill-loop',
    what: 'SIGKILL of a server under load of six people',
    test: `${crash}/kill-loop.test.ts`,
    long: { repeats: 50 },
    size: '2,000 kills on SQLite, 500 on PostgreSQL',
  },
  {
    name: 'kill-groups',
    what: 'SIGKILL while people join, leave and are removed',
    test: `${crash}/kill-groups.test.ts`,
    long: { repeats: 50 },
    size: '600 kills on SQLite, 250 on PostgreSQL',
  },
  {
    name: 'crash-points',
    what: 'a kill at named points of a send, and with strace before each of its system calls',
    test: `${crash}/crash-points.test.ts`,
    long: { times: 20 },
    size: '20 runs',
  },
  {
    name: 'upload-crash',
    what: 'a kill at named points of an upload',
    test: `${crash}/upload-crash.test.ts`,
    long: { times: 10 },
    size: '10 runs',
  },
  {
    name: 'torn-wal',
    what: 'logs of SQLite that are cut at random bytes',
    test: `${crash}/torn-wal.test.ts`,
    long: { repeats: 600 },
    size: '90,000 logs',
  },
  {
    name: 'broken-disk',
    what: 'EIO at a write or a sync of the database, with strace',
    test: `${crash}/broken-disk.test.ts`,
    long: { repeats: 20 },
    size: '60 failures of each',
  },
  {
    name: 'disk-full',
    what: 'a full disk',
    test: `${start}/disk-full.test.ts`,
    long: { times: 20 },
    size: '20 runs',
  },
  {
    name: 'read-only-folder',
    what: 'a folder of objects that becomes read-only',
    test: `${start}/read-only-folder.test.ts`,
    long: { times: 50 },
    size: '50 runs',
  },
  {
    name: 'clock-jumps',
    what: 'a clock that jumps by a day, both ways, while people send and before a start',
    test: `${start}/clock-jumps.test.ts`,
    long: { times: 50 },
    size: '50 runs',
  },
  {
    name: 'postgres-silence',
    what: 'a PostgreSQL that stops to answer, or answers late',
    test: `${platform}/store/postgres-silence.test.ts`,
    long: { times: 20 },
    size: '20 runs',
  },
  {
    name: 'failover',
    what: 'loss of the primary database under load',
    test: `${crash}/failover.test.ts`,
    long: { repeats: 100 },
    size: '100 kills',
  },
  {
    name: 'bus-outage',
    what: 'NATS that is cut off from two servers under load, and comes back',
    test: `${start}/bus-outage.test.ts`,
    long: { repeats: 25 },
    size: '50 cuts',
  },
  {
    name: 's3-faults',
    what: 'errors, silence and outages of S3',
    test: `${platform}/objects/objects-s3-faults.test.ts`,
    long: { times: 10 },
    size: '10 runs',
  },
  {
    name: 'rolling',
    what: 'servers under load that are replaced one by one by a newer version',
    test: `${crash}/rolling.test.ts`,
    long: { times: 34 },
    size: '102 replaced servers',
  },
  {
    name: 'processes',
    what: 'killed and replaced processes of one server',
    test: 'packages/cli/test/processes.test.ts',
    long: { times: 20 },
    size: '20 runs',
  },
  {
    name: 'outbox-kills',
    what: 'SIGKILL of a client with an outbox',
    test: 'packages/sdk/test/outbox-kills.test.ts',
    long: { repeats: 50 },
    size: '400 kills on each database',
  },
  {
    name: 'abuse',
    what: 'mutated requests to a server in a process of its own',
    test: 'packages/server/test/abuse/abuse.test.ts',
    long: { script: ['abuse', '--', '--requests', '10000000'] },
    size: '10,000,000 requests',
  },
  {
    name: 'simulator',
    what: 'several gateways and clients with all faults together, on virtual time',
    test: 'packages/server/test/simulation/simulation.test.ts',
    long: { script: ['sim', '--', '--seeds', '1..50000', '--workers', '2'] },
    size: '50,000 seeds',
  },
];

/** Returns the command of the long form, as one would type it. */
export function commandOf({ name, test, long }: Campaign): string {
  if ('script' in long) return `npm run ${long.script.join(' ')}`;
  if ('times' in long) return `npm run campaign -- ${name}`;
  return `SEALPOST_TEST_REPEATS=${long.repeats} npm test ${test.replace(/^packages\//, '').replace(/\.test\.ts$/, '')}`;
}

/** Returns the table of all campaigns for docs/evidence.md. */
export const tableOf = (all: readonly Campaign[]): string =>
  [
    '| Campaign | Harm | In the usual run | Long form | Size |',
    '|---|---|---|---|---|',
    ...all.map((campaign) => {
      const { name, what, test, size } = campaign;
      const file = test.split('/').at(-1)?.replace('.test.ts', '');
      return `| ${name} | ${what} | [${file}](../${test}) | \`${commandOf(campaign)}\` | ${size} |`;
    }),
  ].join('\n');
