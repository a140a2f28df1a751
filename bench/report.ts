// Writes the results as text: the tables for the terminal, and the page docs/performance.md.
import { cpus, loadavg, release } from 'node:os';
import { markdown, verdict, whole } from './markdown.ts';
import { chatsSection, type GroupResult, groupTable, type SyncResult, syncTable } from './report-chats.ts';
import { type ClientResult, clientTable } from './report-client.ts';
import { type TransferResult, transferTables } from './report-media.ts';
import { type SealingResult, sealingTables } from './report-sealing.ts';
import { type StormResult, stormTable } from './report-storm.ts';
import { type Result, type ScenarioName, scenarios } from './scenarios.ts';

export interface Growth {
  readonly stored: number;
  /** The time per send in microseconds, which is the inverse of the rate with 64 sends in flight. */
  readonly micros: number;
  readonly cpuMicros: number;
  /** The time per send, and the processor time, divided by those of the smallest store. Medians over all rounds. */
  readonly timeOfSmallest: number;
  readonly cpuOfSmallest: number;
}

export interface Memory {
  readonly streams: number;
  readonly kibPerStream: number;
  readonly residentMib: number;
  /** The resident MiB with each number of streams on the way there. */
  readonly steps: readonly (readonly [streams: number, residentMib: number])[];
}

export interface Report {
  readonly quick: boolean;
  readonly rounds: number;
  readonly measureMs: number;
  readonly pinned: boolean;
  postgres: string | undefined;
  responseBytes: number;
  readonly sends: Map<ScenarioName, Result>;
  growth: readonly Growth[];
  memory: Memory | undefined;
  groups: readonly GroupResult[];
  sync: SyncResult | undefined;
  storm: StormResult | undefined;
  transfers: TransferResult | undefined;
  sealing: SealingResult | undefined;
  client: ClientResult | undefined;
}

const GROWTH_TARGET = 1.15;
const TARGETED_MESSAGES = 1_000_000;
const STREAMS_TARGET_MIB = 220;

export function tableOf(report: Report): string {
  return [
    sendTable(report),
    growthTable(report),
    memoryTable(report),
    groupTable(report.groups),
    syncTable(report.sync),
    stormTable(report.storm),
    transferTables(report.transfers),
    sealingTables(report.sealing),
    clientTable(report.client),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function sendTable({ sends }: Report): string {
  const floor = sends.get('floor');
  if (!floor) return '';
  const rows = scenarios.flatMap((scenario) => {
    const result = sends.get(scenario.name);
    if (!result) return [];
    const { perSecond, least, most, p50, p99, cpuMicros } = result;
    const ratio = perSecond / floor.perSecond;
    const leastWork = scenario.leastWork && sends.get(scenario.leastWork);
    const goals: string[] = [];
    if (scenario.target !== undefined)
      goals.push(`≥ ${scenario.target.toFixed(2)}: ${verdict(ratio >= scenario.target)}`);
    if (scenario.targetP99 !== undefined)
      goals.push(`p99 < ${scenario.targetP99} ms: ${verdict(p99 < scenario.targetP99)}`);
    return [
      [
        scenario.title,
        String(scenario.inFlight),
        `${whole(perSecond)} (${whole(least)}–${whole(most)})`,
        ratio.toFixed(2),
        p50.toFixed(1),
        p99.toFixed(1),
        cpuMicros.toFixed(0),
        (floor.cpuMicros / cpuMicros).toFixed(2),
        leastWork ? (leastWork.cpuMicros / cpuMicros).toFixed(2) : '–',
        goals.join(', ') || '–',
      ],
    ];
  });
  return markdown(
    [
      'scenario',
      'in flight',
      'per second (min–max)',
      'of the floor',
      'p50 ms',
      'p99 ms',
      'CPU µs each',
      'of the floor by CPU',
      'of the storing floor by CPU',
      'target',
    ],
    rows,
  );
}

function growthTable({ growth }: Report): string {
  if (growth.length === 0) return '';
  const rows = growth.map(({ stored, micros, cpuMicros, timeOfSmallest, cpuOfSmallest }) => {
    const target =
      stored >= TARGETED_MESSAGES ? `≤ ${GROWTH_TARGET} by CPU: ${verdict(cpuOfSmallest <= GROWTH_TARGET)}` : '–';
    const shares = [timeOfSmallest.toFixed(2), cpuOfSmallest.toFixed(2)];
    return [whole(stored), micros.toFixed(1), cpuMicros.toFixed(1), ...shares, target];
  });
  const heads = ['messages stored', 'µs per send', 'CPU µs each', 'time, of the smallest', 'CPU, of the smallest'];
  return markdown([...heads, 'target'], rows);
}

function memoryTable({ memory }: Report): string {
  if (!memory) return '';
  const { streams, kibPerStream, residentMib } = memory;
  return markdown(
    ['idle streams', 'KiB each', 'resident MiB of the process', 'target'],
    [
      [
        whole(streams),
        kibPerStream.toFixed(1),
        residentMib.toFixed(0),
        `≤ ${STREAMS_TARGET_MIB} MiB: ${verdict(residentMib <= STREAMS_TARGET_MIB)}`,
      ],
    ],
  );
}

export function pageOf(report: Report): string {
  return `# Performance

Measured with \`npm run bench\` (about twenty minutes; \`npm run bench -- --quick\` takes one and writes nothing; \`--only a,b\` runs parts).
This page is written by that command.

Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), Linux ${release()}, Node ${process.versions.node}${report.postgres ? `, PostgreSQL ${report.postgres}` : ''}. ${
    report.pinned ? 'Server on one core, load on the other.' : 'Processes were not pinned to cores.'
  } Medians of ${report.rounds} rounds of ${report.measureMs / 1000} s; the scenarios of a round follow each other, so that a slow moment of the machine affects all of them. The first round of sends is not counted, because the servers compile their code in it.

## What is measured

- The server is the command as people install it: its package is built first, and runs with the libraries of the repository.
- A send is a real \`sendMessage\`: 600 bytes of body, signature checked (\`strict\`), arguments validated, rate limit taken, idempotency record kept; the message, one operation for each side and the record are in one durable commit, which is on disk (\`fdatasync\`) before the answer. The answer's body has about ${report.responseBytes} bytes.
- Load comes from a second process over loopback on keep-alive connections, one request in flight on each, no pipelining.
- "Send and deliver": 50 pairs of users; a slot sends again only when both the answer and the event on the recipient's open stream have arrived. A missing, repeated or misplaced event fails the run.
- The floor is a bare \`node:http\` server that reads the same bytes, checks their HMAC-SHA256 and returns them with 100 more bytes. It stores nothing. It is measured at 64 in flight, and all ratios refer to that figure.
- The storing floor does what a send cannot do without. It does what the floor does, and writes the rows of the message and the event on the recipient's stream. Waiting sends share a durable commit. It uses \`node:http\`, and \`node:sqlite\` or \`pg\`. It checks only the HMAC. Its own share of the floor is about the most that such a server could reach.
- CPU is the processor time of all threads of the server's process, without PostgreSQL. "Of the floor by CPU" compares these times: when other work shares the machine, they change less than the rates.

## Results

${sendTable(report)}

Cost of a send as the store grows (SQLite, 64 in flight). The stores are filled beforehand with copies of a real message and all its rows, spread over 50 chats, and measured in turn. The ratios are medians of the rounds:

${growthTable(report)}

![Processor time of a send, by the messages that are stored](plots/growth.svg)

Memory of idle operation streams. Each of them is the growth of the server's resident memory after the first 200 streams, divided by their number:

${memoryTable(report)}

![Resident memory of the server, by its open streams](plots/streams.svg)

${chatsSection(report.groups, report.sync)}

Sends while many users log in with right passwords. Each login takes a key, a password check and a new session. Each round measures sends without and with the storm, directly after each other. The ratios are medians of the rounds:

${stormTable(report.storm)}

Objects are uploaded and downloaded, through the server and through a bare pipe. The pipe is a \`node:http\` server that pipes to and from files. It does not sync, keeps no rows, and hashes only in the second line of uploads. The server answers an upload when its bytes are hashed, synced and named by a committed row. On one core the hash alone takes about half of the time of the bare pipe. Each round measures all of them directly after each other. Before each, the same amount is written and removed again, so that the kernel's cache has its memory already. The ratios are medians of the rounds. Nobody has logged in since the server started. The threads for passwords start with the first login, and the last line has the memory that they take:

${transferTables(report.transfers)}

Letter Sealing in the client, which does all of its work. Sends go through the SDK in one process on one core, so the rates are those of one client, not of the server. Sealed and plain sends follow each other in each round:

${sealingTables(report.sealing)}

A client with local state, in one process with the program that reads its list of chats at each change. A worker thread sends; its processor time does not count. The first start reads everything from the server, the next start shows what is stored:

${clientTable(report.client)}

## How to read this

- Absolute figures are valid only for this machine on this day, with a virtual disk and shared cores. Compare ratios.
- Ratios differ between machines too, because the floor only computes, and a send also waits for the disk.
- Until commit \`23db87e0\`, the key of the floor was a Buffer. With such a key, Node 24 throws and catches an error inside, which takes about 25 µs. Ratios from before that commit are too high.
- The load average of the machine over the last fifteen minutes was ${(loadavg()[2] ?? 0).toFixed(1)}; the bench alone causes about 2. Anything above that is other work on the same cores and disk. It slows down sends, which wait for the disk, far more than the floor, which does not.
- The server's threads, including those of SQLite and the garbage collector, share one core here. On a machine with more cores they have more room.
- PostgreSQL runs on the core that the system chooses, which on this machine is mostly the core of the load.
- One durable commit contains many sends: the more callers wait at once, the cheaper a send is. A single caller waits for its own sync.
`;
}
