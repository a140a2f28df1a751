// Writes what the model says as a section of docs/scaling.md, with its plots.
import { markdown, whole } from '../markdown.ts';
import type { Plot } from '../web/figures.ts';
import type { Inputs } from './inputs.ts';
import { type Limit, limitsOf, type Projection, project, valuesOf } from './project.ts';

export const MODEL_SECTION = 'What the model says';
export const STEPS = [10_000, 1_000_000, 100_000_000];
/** Points of the curves, two for each power of ten. */
const CURVE = Array.from({ length: 9 }, (_, at) => 10 ** (4 + at / 2));

const rounded = (value: number): string =>
  value >= 100 ? whole(Number(value.toPrecision(3))) : String(Number(value.toPrecision(2)));
const total = ({ money }: Projection): number => Object.values(money).reduce((sum, one) => sum + one, 0);

const ROWS: readonly (readonly [string, (p: Projection) => string])[] = [
  ['sends a second, busiest hour', (p) => rounded(p.sendsPerSecond)],
  ['deliveries a second', (p) => rounded(p.deliveriesPerSecond)],
  ['open streams', (p) => rounded(p.streams)],
  ['their memory, GiB', (p) => rounded(p.streamGib)],
  ['cores of the servers', (p) => rounded(p.serverCores)],
  ['processes', (p) => whole(p.processes)],
  ['cores of the primaries for sends', (p) => rounded(p.databaseCores)],
  ['cores of the primaries for scans of log subscribers', (p) => rounded(p.scanCores)],
  ['WAL, MB/s', (p) => rounded(p.walMegabytes)],
  ['messages, GB', (p) => rounded(p.messageGigabytes)],
  ['logs, GB', (p) => rounded(p.entryGigabytes)],
  ['media, GB', (p) => rounded(p.mediaGigabytes)],
  ['media sent to clients in a month, GB', (p) => rounded(p.outGigabytes)],
  ['shards', (p) => whole(p.shards)],
  ['machines for databases, with standbys', (p) => whole(p.databaseMachines)],
  ['cores of each', (p) => whole(p.coresPerDatabase)],
  ['money for a month: servers', (p) => rounded(p.money.servers)],
  ['databases', (p) => rounded(p.money.databases)],
  ['object store', (p) => rounded(p.money.objects)],
  ['traffic', (p) => rounded(p.money.traffic)],
  ['all', (p) => rounded(total(p))],
  ['for an account', (p) => String(Number((total(p) / p.accounts).toPrecision(2)))],
  ['core-seconds if all who are online begin with an empty device', (p) => rounded(p.syncSeconds)],
];

export function projectionTable(inputs: Inputs, steps: readonly number[]): string {
  const projections = steps.map((accounts) => project(valuesOf(inputs), accounts));
  return markdown(
    ['accounts', ...steps.map((accounts) => whole(accounts))],
    ROWS.map(([title, text]) => [title, ...projections.map(text)]),
  );
}

const limitTable = (limits: readonly Limit[]): string =>
  markdown(
    ['what is full', 'at about … accounts', 'what helps'],
    limits.map(({ what, accounts, remedy }) => [what, rounded(Number(accounts.toPrecision(2))), remedy]),
  );

/** Tells for each step what breaks on the way to it, and in which order. */
export function breaksText(inputs: Inputs): string {
  const limits = limitsOf(valuesOf(inputs));
  return STEPS.map((step, at) => {
    const from = STEPS[at - 1] ?? 0;
    const reached = limits.filter(({ accounts }) => accounts > from && accounts <= step).map(({ what }) => what);
    if (reached.length === 0) return `- **${whole(step)}.** Nothing is full.`;
    return [`- **${whole(step)}.** Full on the way:`, ...reached.map((what, n) => `  ${n + 1}. ${what}`)].join('\n');
  }).join('\n');
}

function inputTables({ measured, usage, machines, prices }: Inputs): string {
  const assumed = (group: Inputs['usage'] | Inputs['machines'] | Inputs['prices']): string =>
    markdown(
      ['option', 'what', 'assumed'],
      Object.entries(group).map(([name, { what, value, unit }]) => [`\`--${name}\``, what, `${value} ${unit}`.trim()]),
    );
  return `### Measured

${markdown(
  ['what', 'figure', 'measured with', 'on'],
  Object.values(measured).map(({ what, value, unit, command, date }) => [
    what,
    `${value.toLocaleString('en-US')} ${unit}`,
    `\`${command}\``,
    date,
  ]),
)}

### Assumed: usage

${assumed(usage)}

### Assumed: machines

${assumed(machines)}

### Assumed: prices

Units of money, of no currency and no provider.

${assumed(prices)}`;
}

export function plotsOf(inputs: Inputs): Plot[] {
  const projections = CURVE.map((accounts) => project(valuesOf(inputs), accounts));
  const curve = (name: string, value: (p: Projection) => number) => ({
    name,
    points: projections.map((p) => [p.accounts, Math.max(1, value(p))] as const),
  });
  return [
    {
      file: 'scaling-cores',
      title: 'What accounts need',
      x: 'accounts',
      y: 'number',
      powers: 'both',
      curves: [
        curve('processes of the servers', ({ processes }) => processes),
        curve('cores of all primaries', ({ databaseCores, scanCores }) => databaseCores + scanCores),
        curve('shards', ({ shards }) => shards),
      ],
    },
    {
      file: 'scaling-money',
      title: 'Money for a month',
      x: 'accounts',
      y: 'units of money',
      powers: 'both',
      curves: [
        curve('databases', ({ money }) => money.databases),
        curve('object store and traffic', ({ money }) => money.objects + money.traffic),
        curve('servers', ({ money }) => money.servers),
      ],
    },
  ];
}

export function modelSection(inputs: Inputs): string {
  const plots = plotsOf(inputs).map(({ file, title }) => `![${title}](plots/${file}.svg)`);
  return `## ${MODEL_SECTION}

Written by \`npm run model -- --write\`. \`npm run model -- --accounts 250000 --messages 60\` calculates with your own numbers. The options are in the tables below. All needs are those of the busiest hour.

${projectionTable(inputs, STEPS)}

${plots.join('\n\n')}

A single database is enough until something is full that only shards help against:

${limitTable(limitsOf(valuesOf(inputs)))}

${breaksText(inputs)}

The model leaves out rows of accounts, sessions and contacts, which are small beside messages. It takes sends that share a commit, as they do under load, and the WAL directly after a checkpoint, which is the worst case. Nobody has run 100 million accounts: the last column multiplies what was measured on one small machine.

${inputTables(inputs)}
`;
}
