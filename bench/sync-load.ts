// Measures the start of a client: all reads that a client makes before it shows the chats of an account.
import type { MethodName } from '@sealpost/contract';
import { type Call, openCalls } from './call.ts';
import { openConnection } from './connection.ts';
import { openEventReader } from './event-reader.ts';
import { cpuSeconds } from './process-usage.ts';
import { answeredWith, keyOf, MARK, streamRequest, type User } from './request.ts';
import { percentile } from './statistics.ts';

export interface SyncOrder {
  readonly kind: 'sync';
  readonly port: number;
  readonly pid: number;
  /** The bare server that returns as many bytes for each call. */
  readonly floor: { readonly port: number; readonly pid: number };
  readonly user: User;
  /** The other side of a chat that has at least `HISTORY` messages. */
  readonly peer: string;
  /**
   * The number of chats that every run must find. This makes sure that an empty answer does not count as a fast one.
   */
  readonly chats: number;
  readonly runs: number;
}

export type SyncStep = 'first' | 'sync' | 'boxes' | 'chats' | 'history';

export interface SyncMeasure {
  readonly step: SyncStep;
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
  /** The processor time of the floor for the same requests, with answers of the same length. */
  readonly floorCpuMs: number;
}

const PAGE = 100;
const INITIALIZATION = 2;
const HISTORY = 50;
/** The floor is so fast that it needs more runs, because the kernel counts processor time in hundredths of a second. */
const FLOOR_RUNS = 10;

interface Walk {
  readonly call: Call;
  readonly order: SyncOrder;
  calls: number;
}

function ask<T>(walk: Walk, method: MethodName, ...args: readonly unknown[]): Promise<T> {
  walk.calls += 1;
  return walk.call<T>(method, ...args);
}

async function pages(walk: Walk, method: MethodName, requestOf: (mids: readonly string[]) => unknown, mids: string[]) {
  const answers: unknown[] = [];
  for (let at = 0; at < mids.length; at += PAGE) {
    answers.push(await ask(walk, method, requestOf(mids.slice(at, at + PAGE)), INITIALIZATION));
  }
  return answers;
}

async function readBoxes(walk: Walk): Promise<void> {
  let found = 0;
  for (let minChatId: string | undefined; ; ) {
    const page: { messageBoxes: { id: string }[]; hasNext: boolean } = await ask(
      walk,
      'TalkService.getMessageBoxes',
      {
        ...(minChatId !== undefined && { minChatId }),
        activeOnly: false,
        unreadOnly: false,
        messageBoxCountLimit: PAGE,
        withUnreadCount: true,
        lastMessagesPerMessageBoxCount: 1,
      },
      INITIALIZATION,
    );
    found += page.messageBoxes.length;
    minChatId = page.messageBoxes.at(-1)?.id;
    if (!page.hasNext) break;
  }
  if (found !== walk.order.chats) throw new Error(`${found} boxes, not ${walk.order.chats}`);
}

async function readChats(walk: Walk): Promise<void> {
  const { memberChatMids } = await ask<{ memberChatMids: string[] }>(
    walk,
    'TalkService.getAllChatMids',
    { withMemberChats: true, withInvitedChats: true },
    INITIALIZATION,
  );
  const request = (chatMids: readonly string[]) => ({ chatMids, withMembers: true, withInvitees: true });
  const answers = await pages(walk, 'TalkService.getChats', request, memberChatMids);
  const found = (answers as { chats: unknown[] }[]).reduce((sum, { chats }) => sum + chats.length, 0);
  if (found === 0 || found !== memberChatMids.length) throw new Error(`${found} groups of ${memberChatMids.length}`);
}

async function readHistory(walk: Walk): Promise<void> {
  const page = await ask<unknown[]>(walk, 'TalkService.getRecentMessagesV2', walk.order.peer, HISTORY);
  if (page.length !== HISTORY) throw new Error(`${page.length} messages, not ${HISTORY}`);
}

async function synchronize(walk: Walk): Promise<void> {
  const { order } = walk;
  await ask(walk, 'TalkService.getProfile', INITIALIZATION);
  await ask(walk, 'TalkService.getSettings', INITIALIZATION);
  const contacts = await ask<string[]>(walk, 'TalkService.getAllContactIds', INITIALIZATION);
  await pages(walk, 'TalkService.getContactsV2', (targetUserMids) => ({ targetUserMids }), contacts);
  await ask(walk, 'TalkService.getBlockedContactIds', INITIALIZATION);
  await readChats(walk);
  await readBoxes(walk);
  await ask(walk, 'TalkService.getLastOpRevision');
  walk.calls += 1;
  let lost: Error | undefined;
  const stream = await openEventReader(
    order.port,
    streamRequest(order.user, keyOf(order.user)),
    MARK,
    () => {},
    (error) => {
      lost = error;
    },
  );
  stream.close();
  if (lost) throw lost;
}

const STEPS: Readonly<Record<SyncStep, { readonly work: (walk: Walk) => Promise<void>; readonly times: number }>> = {
  first: { work: synchronize, times: 0 },
  sync: { work: synchronize, times: 1 },
  boxes: { work: readBoxes, times: 1 },
  chats: { work: readChats, times: 1 },
  history: { work: readHistory, times: 10 },
};

/** A request with the length of its answer. */
type Exchanged = readonly [request: string, bytes: number];

/**
 * Measures one step several times. The processor time is the mean of all runs, because the kernel counts it only in
 * hundredths of a second.
 */
async function measure(call: Call, order: SyncOrder, step: SyncStep, exchanged: Exchanged[]): Promise<SyncMeasure> {
  const { work, times } = STEPS[step];
  const runs = Math.max(1, order.runs * times);
  const took: number[] = [];
  const walk: Walk = { call, order, calls: 0 };
  const cpuBefore = cpuSeconds(order.pid);
  for (let i = 0; i < runs; i++) {
    exchanged.length = 0;
    const begun = performance.now();
    await work(walk);
    took.push(performance.now() - begun);
  }
  const cpuMs = ((cpuSeconds(order.pid) - cpuBefore) / runs) * 1000;
  const sorted = took.toSorted((a, b) => a - b);
  const floorCpuMs = await echo(order.floor, exchanged, runs * FLOOR_RUNS);
  const [p50, p99] = [percentile(sorted, 0.5), percentile(sorted, 0.99)];
  return { step, calls: walk.calls / runs, p50, p99, cpuMs, floorCpuMs };
}

/** Returns the milliseconds of processor time that the floor takes for some requests. */
async function echo({ port, pid }: SyncOrder['floor'], exchanged: readonly Exchanged[], runs: number): Promise<number> {
  let fail: (error: Error) => void = () => {};
  const connection = await openConnection(port, (error) => fail(error));
  const requests = exchanged.map(([request, bytes]) => answeredWith(request, bytes));
  const cpuBefore = cpuSeconds(pid);
  for (let i = 0; i < runs; i++)
    for (const request of requests)
      await new Promise<void>((resolve, reject) => {
        fail = reject;
        connection.send(request, (status) =>
          status === 200 ? resolve() : reject(new Error(`the floor answered ${status}`)),
        );
      });
  connection.close();
  return ((cpuSeconds(pid) - cpuBefore) / runs) * 1000;
}

/** Measures the first sync after the start of a server, then each step on the warm server. */
export async function runSyncs(order: SyncOrder): Promise<SyncMeasure[]> {
  const exchanged: Exchanged[] = [];
  const { call, close } = await openCalls(order.port, order.user, (request, bytes) => exchanged.push([request, bytes]));
  const measures: SyncMeasure[] = [];
  for (const step of ['first', 'sync', 'boxes', 'chats', 'history'] as const)
    measures.push(await measure(call, order, step, exchanged));
  close();
  return measures;
}
