// Writes what sends cost the database as a section of docs/performance.md.
import { markdown, whole } from '../markdown.ts';
import { DATABASE_SECTION } from '../page-section.ts';
import { median } from '../statistics.ts';
import type { Cost } from './measures.ts';

export interface DatabaseCosts {
  readonly costs: Readonly<Record<'floor' | 'few' | 'many' | 'group', readonly Cost[]>>;
  /** Stored messages, and entries of logs. */
  readonly stored: readonly { readonly rows: number; readonly each: number }[];
  readonly scattered: Cost;
  readonly scan: { readonly ms: number; readonly cpuMs: number };
  readonly accounts: number;
  readonly version: string;
}

const LOADS = [
  { name: 'floor', title: 'floor: bare node:http, HMAC', inFlight: 64 },
  { name: 'few', title: 'a send with its delivery', inFlight: 64 },
  { name: 'many', title: 'a send with its delivery', inFlight: 400 },
  { name: 'group', title: "a member's part of a send to a group of 100", inFlight: 8 },
] as const;

export function tablesOf({ costs, stored, scattered, scan, accounts }: DatabaseCosts): string[] {
  const figure = (of: readonly Cost[], pick: (cost: Cost) => number): number => median(of.map(pick));
  const loads = LOADS.map(({ name, title, inFlight }) => [
    title,
    String(inFlight),
    figure(costs[name], ({ serverMicros = Number.NaN }) => serverMicros).toFixed(1),
    ...(name === 'floor' ? ['–', '–', '–'] : ofDatabase((pick) => figure(costs[name], pick))),
  ]);
  const apart = [
    `a send among ${whole(accounts)} accounts, statements alone`,
    '64',
    '–',
    ...ofDatabase((pick) => pick(scattered)),
  ];
  const titles = ['a message of 700 bytes', 'an entry in a log'];
  return [
    markdown(
      [
        'work',
        'in flight',
        'CPU µs of the server',
        'CPU µs of PostgreSQL',
        'bytes of WAL',
        'images of whole pages in it',
      ],
      [...loads, apart],
    ),
    markdown(
      ['stored', 'tables', 'rows measured', 'bytes each, with indexes'],
      stored.map(({ rows, each }, at) => [
        titles[at] as string,
        at === 0 ? '`message`, `message_location`' : '`operation`',
        whole(rows),
        each.toFixed(0),
      ]),
    ),
    markdown(
      ['scan of a log subscriber', 'ms', 'CPU ms of PostgreSQL'],
      [[`${whole(accounts)} accounts with nothing new`, scan.ms.toFixed(0), scan.cpuMs.toFixed(0)]],
    ),
  ];
}

const ofDatabase = (figure: (pick: (cost: Cost) => number) => number): string[] => [
  figure(({ cpuMicros }) => cpuMicros).toFixed(1),
  whole(figure(({ walBytes }) => walBytes)),
  figure(({ pageImages }) => pageImages).toFixed(2),
];

export function databaseSection(
  found: DatabaseCosts,
  about: { readonly rounds: number; readonly ms: number; readonly load: number; readonly machine: string },
): string {
  const [work, stored, scan] = tablesOf(found);
  return `## ${DATABASE_SECTION}

Measured with \`npm run bench:database\` (about three minutes) on PostgreSQL ${found.version} of its own, which nobody else uses. This section is written by that command. [scaling.md](scaling.md) calculates with these figures. Machine: ${about.machine}, with a load average of ${about.load.toFixed(1)}; the bench alone causes about 2. Compare times with the floor in the first line, as the model does: other work makes them all longer. Medians of ${about.rounds} rounds of ${about.ms / 1000} s.

${work}

All processes of PostgreSQL count, those that write checkpoints too. The first lines have 100 accounts, so their pages are written again and again. The last line has so many accounts that most sends touch pages of their own. After a checkpoint, the WAL gets an image of each page that is touched for the first time. The line is measured directly after one, so it is the worst case.

${stored}

${scan}
`;
}
