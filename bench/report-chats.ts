// Writes the tables about groups and large accounts.
import type { GroupMeasure } from './group-load.ts';
import { markdown, verdict, whole } from './markdown.ts';
import { median } from './statistics.ts';
import type { SyncMeasure, SyncStep } from './sync-load.ts';

export interface GroupResult extends GroupMeasure {
  readonly store: string;
  readonly members: number;
  readonly inFlight: number;
}

export interface SyncResult {
  readonly chats: number;
  readonly steps: readonly SyncMeasure[];
}

const SYNC_CPU_TARGET = 150;

const STEPS: Readonly<Record<SyncStep, string>> = {
  first: 'start-up sync, the first of a new server process',
  sync: 'start-up sync',
  boxes: '`getMessageBoxes`, all pages',
  chats: '`getAllChatMids` and `getChats`, all pages',
  history: '`getRecentMessagesV2`, 50 messages',
};

/** Returns the medians over all rounds, for each number separately. */
export function mediansOf<T extends object>(rounds: readonly T[]): T {
  const [first] = rounds as [T];
  const entries = Object.entries(first).map(([name, value]) => [
    name,
    typeof value === 'number' ? median(rounds.map((round) => round[name as keyof T] as number)) : value,
  ]);
  return Object.fromEntries(entries) as T;
}

export function groupTable(results: readonly GroupResult[]): string {
  if (results.length === 0) return '';
  const rows = results.map((result) => [
    `group of ${result.members}, ${result.store}`,
    String(result.inFlight),
    whole(result.sendsPerSecond),
    whole(result.deliveriesPerSecond),
    result.p50.toFixed(1),
    result.p99.toFixed(1),
    result.cpuMicrosPerDelivery.toFixed(1),
  ]);
  return markdown(
    [
      'scenario',
      'in flight',
      'sends per second',
      'deliveries per second',
      'last member p50 ms',
      'p99 ms',
      'CPU µs per delivery',
    ],
    rows,
  );
}

export function syncTable(result: SyncResult | undefined): string {
  if (!result) return '';
  const rows = result.steps.map(({ step, calls, p50, p99, cpuMs, floorCpuMs }) => [
    STEPS[step],
    whole(calls),
    p50.toPrecision(3),
    step === 'first' ? '–' : p99.toPrecision(3),
    cpuMs.toPrecision(3),
    step === 'first' ? '–' : floorCpuMs.toPrecision(3),
    step === 'first' ? '–' : (floorCpuMs / cpuMs).toFixed(2),
    step === 'sync' ? `< ${SYNC_CPU_TARGET} ms CPU: ${verdict(cpuMs < SYNC_CPU_TARGET)}` : '–',
  ]);
  const heads = [`account with ${whole(result.chats)} chats`, 'calls', 'p50 ms', 'p99 ms', 'CPU ms'];
  return markdown([...heads, 'CPU ms of the floor', 'of the floor by CPU', 'target'], rows);
}

export function chatsSection(groups: readonly GroupResult[], sync: SyncResult | undefined): string {
  return `A send to a group whose members all have an open stream, and every stream is read. The latency ends when the send was answered and the last of the other members has the event; then the slot sends again. A missing, repeated or misplaced event at any member fails the run:

${groupTable(groups)}

An account with many chats on SQLite: half one-to-one with contacts, half groups of ten, five messages each. A client reads it at its start: profile, settings, contacts, blocked contacts, chats with members, message boxes with the newest message and unread count, last revision, stream. Pages have 100 items each. The floor answers the same calls with as many bytes, but for the stream:

${syncTable(sync)}`;
}
