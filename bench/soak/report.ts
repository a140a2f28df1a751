// Writes the results of a soak: the table, the plots, and the section of docs/performance.md.
import { markdown, verdict, whole } from '../markdown.ts';
import { SOAK_SECTIONS } from '../page-section.ts';
import { median } from '../statistics.ts';
import type { Plot } from '../web/figures.ts';
import { judge, type Soak } from './judge.ts';

export interface AboutSoak {
  readonly date: string;
  readonly machine: string;
  readonly minutes: number;
  readonly database: keyof typeof SOAK_SECTIONS;
  /** The name of the database, with its version if it is a program of its own. */
  readonly store: string;
  /** The cores of the server and of the load. */
  readonly cores: readonly [number, number];
  readonly pinned: boolean;
  readonly people: number;
  /** The sends a second of the calibration, and those of the soak. */
  readonly most: number;
  readonly perSecond: number;
  /** The load of the machine before and at the end. */
  readonly loads: readonly [number, number];
  /** The heap in MiB after a collection of the garbage: in the warm-up and at the end. */
  readonly heap: readonly [number, number];
}

export const judgementTable = (soak: Soak): string =>
  markdown(
    ['what should not grow', 'measured', 'goal'],
    judge(soak).map(({ what, measured, goal, good }) => [what, measured, `${goal}: ${verdict(good)}`]),
  );

const of = (soak: Soak, pick: 'sends' | 'streams' | 'reads' | 'logins'): string =>
  whole(soak.samples.reduce((sum, sample) => sum + sample[pick], 0));

/** Returns the table of what the server did meanwhile. */
export function workTable(soak: Soak, { heap }: AboutSoak): string {
  const { samples, totals } = soak;
  const p50s = samples.map(({ p50 }) => p50);
  return markdown(
    ['what', ''],
    [
      ['sends acknowledged', of(soak, 'sends')],
      ['messages received and checked', `${whole(totals.deliveries)}, at ${totals.cursors} cursors`],
      ['streams opened and closed', of(soak, 'streams')],
      ['reads', of(soak, 'reads')],
      ['logins, each with a renewal of the tokens and a logout', of(soak, 'logins')],
      ['p50 of a send, median of the windows', `${median(p50s).toFixed(1)} ms`],
      [
        'heap after its garbage was collected',
        `${heap[0].toFixed(1)} MiB in the warm-up, ${heap[1].toFixed(1)} at the end`,
      ],
    ],
  );
}

export function plotsOf({ samples }: Soak, database: AboutSoak['database']): Plot[] {
  const ending = database === 'sqlite' ? '' : `-${database}`;
  const curve = (name: string, value: (sample: Soak['samples'][number]) => number) => ({
    name,
    points: samples.map((sample) => [sample.minute, value(sample)] as const),
  });
  return [
    {
      file: `soak${ending}`,
      title: 'Memory of a server under load',
      x: 'minutes',
      y: 'MiB',
      curves: [
        curve('resident', (sample) => sample.residentMib),
        curve('heap, with its garbage', (sample) => sample.heapMib),
      ],
    },
    {
      file: `soak-sends${ending}`,
      title: 'Sends meanwhile',
      x: 'minutes',
      y: 'ms',
      curves: [curve('p99', (sample) => sample.p99), curve('p50', (sample) => sample.p50)],
    },
  ];
}

export function soakSection(soak: Soak, about: AboutSoak): string {
  const { date, machine, minutes, database, store, cores, pinned, people, most, perSecond, loads } = about;
  const [server, load] = cores;
  const place =
    server === load ? `Server and load shared core ${server}` : `The server had core ${server}, the load core ${load}`;
  const pictures = plotsOf(soak, database).map(({ file, title }) => `![${title}](plots/${file}.svg)`);
  return `## ${SOAK_SECTIONS[database]}

Written by \`npm run bench:soak\` on ${date}, on ${machine}. A server on ${store} was under load for ${minutes} minutes. ${pinned ? `${place}.` : 'Processes were not pinned to cores.'} The load of the machine was ${loads[0].toFixed(1)} before and ${loads[1].toFixed(1)} at the end. ${people} people send to each other in pairs. When each sends again as soon as the last send is acknowledged, they send ${whole(most)} messages a second. The run has half of it: ${whole(perSecond)} a second at fixed times, whether or not the server keeps up. The latency counts from the time at which a message is due.

Each person has two cursors, with a stream for each. A stream lives 2 to 8 seconds, and the next one goes on after its cursor. Every cursor must bring every acknowledged message once, in order. The first sixth of the time is the warm-up. Its samples count for the log, the errors and the messages only. Medians of the last third are compared with those of the first. Garbage is collected by force in the warm-up and after the last sample, not between. Timers are counted five times at the same moments, without those of sockets, and the medians are compared.

${judgementTable(soak)}

${workTable(soak, about)}

${pictures.join('\n\n')}
`;
}
