// The data that all parts of the bench of the web client share, and the amounts of work for them.
import type { Browser } from '../../packages/web/test/browsers.ts';
import type { Amounts } from './fill.ts';
import type { Place } from './place.ts';
import type { SlowNetwork } from './slow-network.ts';
import type { Tab } from './tab.ts';

export interface WebAmounts extends Amounts {
  readonly rounds: number;
  /** Milliseconds to wait after the page has shown something, because it may still be working. */
  readonly settleMs: number;
  readonly keys: number;
  readonly ownMessages: number;
  readonly olderPages: number;
  readonly openedChats: number;
  readonly reloads: number;
  readonly flood: number;
  readonly floodPerSecond: number;
  readonly memoryMinutes: number;
  readonly memoryPerSecond: number;
  readonly memorySamples: number;
}

export const fullAmounts: WebAmounts = {
  ...{ chats: 1_000, messagesPerChat: 100, messagesInLargeChat: 10_000, groupMembers: 500 },
  ...{ rounds: 3, settleMs: 3_000, keys: 150, ownMessages: 40, olderPages: 16, openedChats: 8, reloads: 8 },
  ...{ flood: 1_000, floodPerSecond: 100, memoryMinutes: 4, memoryPerSecond: 5, memorySamples: 16 },
};

/** Small amounts that only show whether everything runs. */
export const quickAmounts: WebAmounts = {
  ...{ chats: 12, messagesPerChat: 5, messagesInLargeChat: 400, groupMembers: 8 },
  ...{ rounds: 1, settleMs: 100, keys: 12, ownMessages: 2, olderPages: 3, openedChats: 2, reloads: 1 },
  ...{ flood: 20, floodPerSecond: 20, memoryMinutes: 0.05, memoryPerSecond: 5, memorySamples: 4 },
};

export interface Bench {
  readonly place: Place;
  /** The slow network between the tab and the server. */
  readonly network: SlowNetwork;
  readonly browser: Browser;
  /** The tab in which the account is logged in. */
  readonly tab: Tab;
  readonly amounts: WebAmounts;
  /** Returns a number that no message contains yet. */
  mark(): number;
}
