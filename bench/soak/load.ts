// The program of the load of a soak. People send to each other at a fixed rate, and their streams are opened and closed
// all the time. Some of them read. One logs in again and again, renews the tokens and logs out.
import { setTimeout as pause } from 'node:timers/promises';
import { createRpcClient } from '@sealpost/sdk';
import { openCalls } from '../call.ts';
import { openConnection } from '../connection.ts';
import { credentialOf } from '../gateway.ts';
import { keyOf, refreshRequest, type User } from '../request.ts';
import { percentile } from '../statistics.ts';
import type { Faults } from './arrivals.ts';
import { Reader } from './reader.ts';
import { Sender } from './sender.ts';

const TICK_MS = 5;
const READ_MS = 500;
const LOGIN_MS = 5000;
const END_MS = 60_000;
const READS = ['TalkService.getProfile', 'TalkService.getLastOpRevision', 'TalkService.getAllContactIds'] as const;

export type SoakOrder =
  | {
      readonly kind: 'begin';
      readonly port: number;
      /** Each person sends to the next one, or back. Their number is even. */
      readonly users: readonly User[];
      readonly streamsOfEach: number;
      /** The number of an account that logs in again and again, and does nothing else. */
      readonly visitor: number;
    }
  /** Sends a second, from now on. With `most`, each person sends again as soon as the last send was acknowledged. */
  | { readonly kind: 'pace'; readonly perSecond: number | 'most' }
  | { readonly kind: 'window' }
  | { readonly kind: 'end' };

/** What happened since the last order. */
export interface SoakWindow {
  readonly seconds: number;
  readonly sends: number;
  readonly p50: number;
  readonly p99: number;
  /** The messages that are due and not acknowledged at the end. */
  readonly unfinished: number;
  readonly streams: number;
  readonly reads: number;
  readonly logins: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** What happened in the whole run. */
export interface SoakTotals extends Faults {
  readonly acknowledged: number;
  readonly deliveries: number;
  readonly cursors: number;
  /** The errors since the last window. */
  readonly errors: Readonly<Record<string, number>>;
}

const none = () => ({ at: performance.now(), latencies: [] as number[], streams: 0, reads: 0, logins: 0 });
let seen = none();
let errors: Record<string, number> = {};
const failed = (what: string): void => {
  errors[what] = (errors[what] ?? 0) + 1;
};

const senders: Sender[] = [];
const readers: { readonly reader: Reader; readonly sender: Sender }[] = [];
let pace: { readonly perSecond: number; readonly since: number; done: number } | 'most' | undefined;

/** Makes every send due whose time has come. The people take turns. */
function tick(): void {
  if (pace === undefined || pace === 'most') return;
  const due = Math.floor(((performance.now() - pace.since) / 1000) * pace.perSecond);
  for (; pace.done < due; pace.done += 1)
    senders[pace.done % senders.length]?.due(pace.since + ((pace.done + 1) / pace.perSecond) * 1000);
}

async function begin({ port, users, streamsOfEach, visitor }: SoakOrder & { kind: 'begin' }): Promise<void> {
  const acknowledged = (sender: Sender, latencyMs: number): void => {
    seen.latencies.push(latencyMs);
    if (pace === 'most') sender.due(performance.now());
  };
  for (const [at, user] of users.entries()) {
    const to = users[at ^ 1] as User;
    const name = at.toString(36);
    const sender = new Sender({ port, user, to: to.mid, name, acknowledged, failed });
    senders.push(sender);
    for (let n = 0; n < streamsOfEach; n += 1) {
      const opened = (): void => {
        seen.streams += 1;
      };
      readers.push({ reader: new Reader({ port, user: to, from: name, opened, failed }), sender });
    }
  }
  for (const { reader } of readers) reader.open();
  await Promise.all(senders.map((sender) => sender.open()));
  setInterval(tick, TICK_MS);
  let reads = 0;
  setInterval(() => {
    reads += 1;
    read(port, users[reads % users.length] as User, reads).catch((error: unknown) => failed(String(error)));
  }, READ_MS);
  setInterval(() => visit(port, visitor).catch((error: unknown) => failed(String(error))), LOGIN_MS);
}

async function read(port: number, user: User, nth: number): Promise<void> {
  const { call, close } = await openCalls(port, user);
  try {
    await call(READS[nth % READS.length] as (typeof READS)[number], ...(nth % READS.length === 1 ? [] : [0]));
    seen.reads += 1;
  } finally {
    close();
  }
}

/** Logs in, renews the tokens, and logs out. */
async function visit(port: number, visitor: number): Promise<void> {
  const client = createRpcClient({ url: `http://127.0.0.1:${port}` });
  const { mid, tokens } = await client.login(credentialOf(visitor));
  client.close();
  const user = { mid, accessToken: tokens.accessToken };
  const connection = await openConnection(port, (error) => failed(error.message));
  const body = await new Promise<string>((resolve, reject) =>
    connection.send(refreshRequest(user, keyOf(user), tokens.refreshToken), (status, text) =>
      status === 200 ? resolve(text) : reject(new Error(`a renewal was answered ${status}: ${text.slice(0, 200)}`)),
    ),
  );
  connection.close();
  const { accessToken } = (JSON.parse(body) as { data: { accessToken: string } }).data;
  const { call, close } = await openCalls(port, { mid, accessToken });
  try {
    await call('AuthService.logoutV2');
  } finally {
    close();
  }
  seen.logins += 1;
}

function takeWindow(): SoakWindow {
  const { at, latencies, ...counts } = seen;
  const sorted = Float64Array.from(latencies).sort();
  const window = {
    ...counts,
    seconds: (performance.now() - at) / 1000,
    sends: sorted.length,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    unfinished: senders.reduce((sum, sender) => sum + sender.unfinished, 0),
    errors,
  };
  seen = none();
  errors = {};
  return window;
}

function totals(): SoakTotals {
  const faults = readers.map(({ reader, sender }) => reader.arrivals.faults(sender.acknowledged));
  const sum = (of: keyof Faults): number => faults.reduce((total, one) => total + one[of], 0);
  return {
    acknowledged: senders.reduce((total, sender) => total + sender.acknowledged, 0),
    deliveries: readers.reduce((total, { reader }) => total + reader.arrivals.received, 0),
    cursors: readers.length,
    errors,
    lost: sum('lost'),
    twice: sum('twice'),
    late: sum('late'),
  };
}

/** Waits until every acknowledged message was delivered to each cursor, but at most a minute. */
async function end(): Promise<SoakTotals> {
  pace = undefined;
  for (const sender of senders) sender.drop();
  for (const { reader } of readers) reader.stay();
  const deadline = performance.now() + END_MS;
  const going = (): boolean => senders.some(({ unfinished }) => unfinished > 0) || totals().lost > 0;
  while (going() && performance.now() < deadline) await pause(100);
  return totals();
}

async function carryOut(order: SoakOrder): Promise<unknown> {
  if (order.kind === 'begin') await begin(order);
  if (order.kind === 'end') return end();
  if (order.kind === 'pace') {
    for (const sender of senders) sender.drop();
    const { perSecond } = order;
    pace = perSecond === 'most' ? perSecond : { perSecond, since: performance.now(), done: 0 };
    if (pace === 'most') for (const sender of senders) sender.due(performance.now());
  }
  return takeWindow();
}

process.on('message', (order: SoakOrder) => {
  carryOut(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
