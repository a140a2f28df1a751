// Sends as fast as a way takes them, with a fixed number in flight, and measures rate and times.
import { percentile } from '../statistics.ts';
import { body, type Send } from './sends.ts';
import { homeOf, type Received, type Way } from './ways.ts';

export interface Plan {
  readonly inFlight: number;
  /** Most sends of one transaction. */
  readonly most: number;
  /** Transactions of one home that run at once. */
  readonly lanes: number;
  /** Databases that are homes of chats. */
  readonly homes: number;
  readonly ms: number;
}

export interface Drive {
  readonly sends: number;
  /** Sends per second until the last one was in the log of its receiver. */
  readonly perSecond: number;
  /** Median time in milliseconds until the answer, and until the receiver's log has the send. */
  readonly answered: number;
  readonly received: number;
  readonly received99: number;
  readonly perTransaction: number;
}

interface Waiting {
  readonly send: Send;
  readonly resolve: () => void;
}

/** As in the server: so many waiting sends start a further transaction while one runs. */
const FURTHER_AT = 24;
/** A relay that is so far behind holds back further sends. */
const BACKLOG = 2000;
/** Each slot sends in so many chats in turn, so that no two sends in flight have an account in common. */
const CHATS_OF_SLOT = 8;

/** Number of accounts that a drive needs. */
export const accountsFor = ({ inFlight }: Pick<Plan, 'inFlight'>): number => 2 * inFlight * CHATS_OF_SLOT;

/** The largest message id so far. Ids rise over all drives. */
let newest = 1_000_000;

/** Knows which sends are not yet in the logs of their receivers, and how long each took. */
export interface Tracker {
  readonly received: Received;
  readonly begun: Map<number, number>;
  /** Milliseconds that sends took, since the list was emptied. */
  readonly times: number[];
  /** Resolves as soon as fewer sends than `most` are on their way. */
  below(most: number): Promise<void>;
}

export function createTracker(): Tracker {
  const begun = new Map<number, number>();
  const times: number[] = [];
  let waiting: { most: number; resolve: () => void }[] = [];
  return {
    begun,
    times,
    received(sends) {
      const now = performance.now();
      for (const { id } of sends) {
        times.push(now - (begun.get(id) as number));
        begun.delete(id);
      }
      for (const { most, resolve } of waiting) if (begun.size < most) resolve();
      waiting = waiting.filter(({ most }) => begun.size >= most);
    },
    below: async (most) => {
      if (begun.size >= most) await new Promise<void>((resolve) => waiting.push({ most, resolve }));
    },
  };
}

export async function drive(plan: Plan, way: Way, tracker: Tracker): Promise<Drive> {
  const answered: number[] = [];
  tracker.times.length = 0;
  const groups = createGroups(plan, way);
  const begin = performance.now();
  const slot = async (number: number): Promise<void> => {
    for (let turn = 0; performance.now() - begin < plan.ms; turn++) {
      const chat = number * CHATS_OF_SLOT + (turn % CHATS_OF_SLOT) + 1;
      const send: Send = { id: ++newest, chat, sender: 2 * chat - 1, receiver: 2 * chat, body };
      const at = performance.now();
      tracker.begun.set(send.id, at);
      await groups.add(send);
      answered.push(performance.now() - at);
      await tracker.below(BACKLOG);
    }
  };
  await Promise.all(Array.from({ length: plan.inFlight }, (_, number) => slot(number)));
  await tracker.below(1);
  const seconds = (performance.now() - begin) / 1000;
  const received = tracker.times.toSorted((a, b) => a - b);
  return {
    sends: received.length,
    perSecond: received.length / seconds,
    answered: percentile(
      answered.toSorted((a, b) => a - b),
      0.5,
    ),
    received: percentile(received, 0.5),
    received99: percentile(received, 0.99),
    perTransaction: received.length / groups.count(),
  };
}

/** Puts waiting sends of the same home together, as the server does. */
function createGroups({ most, lanes, homes }: Plan, way: Way) {
  const free = Array.from({ length: homes }, (_, home) => Array.from({ length: lanes }, (_, n) => home * lanes + n));
  const waiting: Waiting[][] = free.map(() => []);
  let transactions = 0;

  function pump(home: number): void {
    const idle = free[home] as number[];
    const queue = waiting[home] as Waiting[];
    while (queue.length > 0 && idle.length > 0) {
      if (most > 1 && idle.length < lanes && queue.length < FURTHER_AT) return;
      const group = queue.splice(0, most);
      const lane = idle.pop() as number;
      transactions += 1;
      void way
        .write(
          lane,
          group.map(({ send }) => send),
        )
        .then(() => {
          idle.push(lane);
          for (const { resolve } of group) resolve();
          pump(home);
        });
    }
  }
  return {
    count: () => transactions,
    add: (send: Send): Promise<void> =>
      new Promise((resolve) => {
        const home = homes === 1 ? 0 : homeOf([send]);
        (waiting[home] as Waiting[]).push({ send, resolve });
        setImmediate(pump, home);
      }),
  };
}
