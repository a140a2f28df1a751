// Writes the comparison with other servers as a section of docs/performance.md.
import type { SendMeasure } from '../closed-loop.ts';
import { markdown, verdict, whole } from '../markdown.ts';
import { PEERS_SECTION } from '../page-section.ts';
import { median } from '../statistics.ts';
import { type ContenderName, TEXT_BYTES } from './contenders.ts';

export const IN_FLIGHT = [50, 400] as const;

export const TITLES: Readonly<Record<ContenderName, string>> = {
  sqlite: 'Sealpost, SQLite',
  postgres: 'Sealpost, PostgreSQL',
  ejabberd: 'ejabberd, PostgreSQL',
  prosody: 'Prosody, files',
};

export type Findings = Readonly<
  Record<
    ContenderName,
    Record<(typeof IN_FLIGHT)[number], { readonly measures: SendMeasure[]; syncs: number | undefined }>
  >
>;

/** The multiples of the other servers' rates that this server should reach. */
const GOALS = { ejabberd: 6, prosody: 5 } as const;
const OURS = ['sqlite', 'postgres'] as const;

export interface About {
  readonly rounds: number;
  readonly ms: number;
  readonly load: number;
  readonly machine: string;
  readonly date: string;
  readonly postgres: string;
  readonly versions: { readonly ejabberd: string; readonly prosody: string };
}

export const medianRate = (measures: readonly SendMeasure[]): number => median(measures.map((one) => one.perSecond));

/** Returns the table of measurements, and that of the goals. */
export function tablesOf(found: Findings): [string, string] {
  const figures = IN_FLIGHT.flatMap((inFlight) =>
    (Object.keys(TITLES) as ContenderName[]).map((name) => {
      const { measures, syncs } = found[name][inFlight];
      const of = (pick: (one: SendMeasure) => number): number => median(measures.map(pick));
      return [
        TITLES[name],
        String(inFlight),
        whole(medianRate(measures)),
        of(({ p50 }) => p50).toFixed(1),
        of(({ p99 }) => p99).toFixed(1),
        of(({ cpuMicros }) => cpuMicros).toFixed(0),
        name === 'postgres' || name === 'ejabberd' ? of((one) => one.databaseCpuMicros).toFixed(0) : '–',
        of((one) => one.loadCpuMicros).toFixed(0),
        syncs === undefined ? 'not counted' : syncs.toFixed(3),
      ];
    }),
  );
  const goals = IN_FLIGHT.flatMap((inFlight) =>
    OURS.flatMap((name) =>
      (['ejabberd', 'prosody'] as const).map((peer) => {
        const pairs = found[name][inFlight].measures.map(
          (mine, round) => [mine, found[peer][inFlight].measures[round] as SendMeasure] as const,
        );
        const times = median(pairs.map(([mine, other]) => mine.perSecond / other.perSecond));
        const latency = median(pairs.map(([mine, other]) => mine.p99 / other.p99));
        return [
          TITLES[name],
          TITLES[peer],
          String(inFlight),
          `${times.toFixed(1)}; ≥ ${GOALS[peer]}: ${verdict(times >= GOALS[peer])}`,
          `${latency.toFixed(2)}; < 1: ${verdict(latency < 1)}`,
        ];
      }),
    ),
  );
  return [
    markdown(
      [
        'server',
        'in flight',
        'delivered a second',
        'p50 ms',
        'p99 ms',
        'CPU µs of the server',
        'CPU µs of its database',
        'of the load',
        'syncs of a message',
      ],
      figures,
    ),
    markdown(['server', 'compared with', 'in flight', 'rate: times the other', 'p99: share of the other'], goals),
  ];
}

export function peersSection(found: Findings, about: About): string {
  const [figures, goals] = tablesOf(found);
  return `## ${PEERS_SECTION}

Written by \`npm run bench:peers\` on ${about.date}, on ${about.machine}, with a load of ${about.load.toFixed(1)} before. Debian's ejabberd ${about.versions.ejabberd} and Prosody ${about.versions.prosody} run the same closed loop as this server. In it 50 people send to 50 others. Each text has ${TEXT_BYTES} bytes. A message counts when the recipient's connection has it; ours must have been answered too. Then the next one is sent. A server and its database share one core, and the load has another. ${about.rounds} rounds of ${about.ms / 1000} s, in turn, medians of the rounds. PostgreSQL ${about.postgres} runs anew for each server, with \`fsync\` and \`synchronous_commit\` on.

${figures}

${goals}

![Messages delivered a second](plots/peers.svg)

Syncs are counted in a run of their own: those of files with strace, and those of PostgreSQL by itself. One sync covers many messages that wait at the same time.

**What is equal.** No server uses TLS, and no limit of rates applies. Each keeps every message for sender and recipient. The archive of ejabberd is on for everybody, with its default settings. It waits for the database: while its table was locked, no message was delivered. So its messages are as durable as ours when they arrive. Prosody writes two files for a message and never syncs them. What it delivered in the last seconds may be lost if the machine stops.

**In favour of the XMPP servers.** Modules that have nothing to do with messages between two people are off. Clients do not ask for stream management or carbon copies. Erlang does not wait busily, because it shares its core with PostgreSQL. Prosody's archives have no largest size.

**What XMPP servers do more for a message.** They parse a stanza of XML, and serialize it again for the recipient. They route it by the address and the priority of each connected device, whose presence they keep. They check block lists and privacy lists, and run the hooks of all modules. They store the message twice, as a row or an entry of the archive of each of the two. They look at the domain of each address, because it may be that of another server.

**What this server does more for a message.** It checks the signature of each request, and reads HTTP with its headers. It gives an answer only when the message is on disk. It writes an entry into the logs of both people, from which all their devices continue after a break. It recognizes a repeated send, and stores it once. It stores the text once, and commits many sends together.

With XMPP, a sender has one connection and writes messages one behind the other. With 400 in flight, 8 messages of each sender are under way. Here each message in flight has an HTTP connection.
`;
}
