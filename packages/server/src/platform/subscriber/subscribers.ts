// The log subscribers of a server, and their regular work.
import { drawFraction, type Ports, type Timer } from '@sealpost/contract/ports';
import type { Logger } from '../kernel/logger.ts';
import type { Traces } from '../observability/traces.ts';
import { BEAT_MS, createRunningServers, type RunningServers } from '../servers/running-servers.ts';
import type { Store, Tx } from '../store/store.ts';
import type { LoggedOperation } from '../stream/operation-log.ts';
import { LogSubscriber, type SubscriberDefinition, type SubscriberOutcome } from './log-subscriber.ts';
import * as q from './queries.ts';
import { allShares, createShares, shareOf } from './shares.ts';

export interface SubscriberState {
  readonly name: string;
  readonly counts: Readonly<Record<SubscriberOutcome, number>>;
  readonly lagMs: number;
}

export interface Subscribers {
  /** Adds a subscriber. If it is new to the database, it begins at the end of all logs. */
  add(definition: SubscriberDefinition): Promise<void>;
  /** Notes the operations that a commit of this server appended. */
  publish(operations: readonly LoggedOperation[]): void;
  /** Notes that another server appended to the log of an account. */
  note(accountId: number): void;
  /** Starts the handling of operations. */
  start(): void;
  /** Returns whether an account has a stream or a poll open, at this server or at another. */
  isOpen(accountId: number, signal: AbortSignal): Promise<boolean>;
  /** Removes what is stored about a deleted account. */
  forgetAccount(tx: Tx, accountId: number): Promise<void>;
  state(): SubscriberState[];
  close(): Promise<void>;
}

export interface SubscribersDeps {
  readonly store: Store;
  readonly ports: Ports;
  readonly logger: Logger;
  /** Undefined if no traces are wanted. */
  readonly traces?: Traces | undefined;
  /**
   * Returns the accounts with an open stream or poll at this server. With an account id, returns only this account, or
   * nothing.
   */
  readonly openAccounts: (accountId?: number) => readonly number[];
}

/** Milliseconds between two scans of all logs. A random time of up to SCAN_JITTER_MS is added. */
const SCAN_MS = 5_000;
const SCAN_JITTER_MS = 1_000;

export function createSubscribers(deps: SubscribersDeps): Subscribers {
  const { store, ports, logger, traces, openAccounts } = deps;
  const { timers } = ports;
  const subscribers: LogSubscriber[] = [];
  const running: Timer[] = [];
  // Only one server uses a SQLite database, so no list of running servers is needed.
  const servers: RunningServers | undefined =
    store.kind === 'sqlite' ? undefined : createRunningServers({ store, ...ports, openAccounts });
  const isBusy = (share: number): boolean =>
    subscribers.some((subscriber) => [...subscriber.busyAccounts()].some((accountId) => shareOf(accountId) === share));
  const shares = servers ? createShares({ store, servers, isBusy }) : allShares;
  let work: Promise<void> = Promise.resolve();

  const scan = async (): Promise<void> => {
    await Promise.all(subscribers.map((subscriber) => subscriber.scan()));
  };
  /** Runs work in the background, and logs its failure. */
  const quietly = (run: () => Promise<void>, what: string): Promise<void> =>
    run().catch((error: unknown) => logger.error({ error }, what));
  let isKeeping = false;
  const keep = (): void => {
    if (isKeeping) return;
    isKeeping = true;
    work = quietly(async () => {
      if (await shares.keep()) void quietly(scan, 'a scan of the logs failed');
    }, 'the shares of the log subscribers could not be kept').finally(() => {
      isKeeping = false;
    });
  };

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    for (const timer of running) timer.cancel();
    for (const subscriber of subscribers) subscriber.close();
    await work;
    await quietly(shares.leave, 'the shares of the log subscribers could not be given back');
  }

  return {
    async add(definition) {
      const subscriber = new LogSubscriber(definition, { store, ports, logger, shares, traces });
      await subscriber.begin();
      subscribers.push(subscriber);
    },
    publish(operations) {
      for (const subscriber of subscribers) for (const operation of operations) subscriber.noteOperation(operation);
    },
    note(accountId) {
      for (const subscriber of subscribers) subscriber.note(accountId);
    },
    start() {
      if (servers) {
        keep();
        running.push(timers.every(BEAT_MS, keep));
      }
      void quietly(scan, 'a scan of the logs failed');
      const every = SCAN_MS + drawFraction(ports.random) * SCAN_JITTER_MS;
      running.push(timers.every(every, () => void quietly(scan, 'a scan of the logs failed'), { coarse: () => true }));
    },
    async isOpen(accountId, signal) {
      if (openAccounts(accountId).length > 0) return true;
      return (await servers?.isOpenElsewhere(accountId, signal)) ?? false;
    },
    async forgetAccount(tx, accountId) {
      await tx.run(q.deleteCursors, accountId);
      await tx.run(q.deleteParked, accountId);
    },
    state: () => subscribers.map((some) => ({ name: some.name, counts: some.counts, lagMs: some.lagMs() })),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
