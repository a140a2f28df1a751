// A log subscriber: a named reader of the logs of all accounts. Its cursor in each log is stored, so it gets each
// operation at least once, in the order of the log. docs/decisions/0019 has the reasons.
import { type AppendedType, operationTypes } from '@sealpost/contract';
import type { Ports, Timer } from '@sealpost/contract/ports';
import type { Logger } from '../kernel/logger.ts';
import type { Span, Traces } from '../observability/traces.ts';
import type { Reader, Store } from '../store/store.ts';
import type { LoggedOperation } from '../stream/operation-log.ts';
import { type NextOperations, operationsIn } from './next-operations.ts';
import * as q from './queries.ts';
import type { Shares } from './shares.ts';

export interface SubscriberDefinition {
  /** The name under which the cursors are stored. It must never change. */
  readonly name: string;
  /** The types of operations that are handled. */
  readonly types: readonly AppendedType[];
  /**
   * Returns the accounts, out of the given ones, whose operations are to be handled. Operations of all other accounts
   * are not read.
   */
  wanted(reader: Reader, accountIds: readonly number[]): Promise<ReadonlySet<number>>;
  /**
   * Handles operations of one account, oldest first. If the function throws, it is called again with the same
   * operations. It also gets them again after a crash, or if another server takes the account over because this server
   * is slow.
   */
  handle(accountId: number, operations: readonly LoggedOperation[], signal: AbortSignal): Promise<void>;
}

export interface SubscriberDeps {
  readonly store: Store;
  readonly ports: Pick<Ports, 'clock' | 'timers'>;
  readonly logger: Logger;
  readonly shares: Pick<Shares, 'holds'>;
  /** Undefined if no traces are wanted. */
  readonly traces?: Traces | undefined;
}

export type SubscriberOutcome = 'handled' | 'retried' | 'parked' | 'missed';

/**
 * Milliseconds between noting an operation and handling it. Operations that are appended during this time are read
 * together with it.
 */
export const ROUND_MS = 200;
/** Maximum number of accounts for one read. */
const ACCOUNTS_AT_ONCE = 200;
/** Maximum number of accounts whose operations are handled at the same time. */
const MOST_BUSY = 500;
/** Maximum number of waiting accounts. When the list is full, further accounts are left to a later scan. */
const MOST_WAITING = 50_000;
/** Maximum number of operations of one account that are handled together. */
const OPERATIONS_AT_ONCE = 50;
/** Number of accounts in one step of a scan. SCAN_PAUSE_MS is the pause between two steps. */
const SCANNED_AT_ONCE = 2_000;
const SCAN_PAUSE_MS = 50;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** Number of attempts after which an operation is parked. The last attempt is about five minutes after the first. */
const ATTEMPTS = 10;
const NO_SPANS: readonly Span[] = [];

export class LogSubscriber {
  readonly name: string;
  readonly counts: Record<SubscriberOutcome, number> = { handled: 0, retried: 0, parked: 0, missed: 0 };
  readonly #definition: SubscriberDefinition;
  readonly #deps: SubscriberDeps;
  readonly #types: ReadonlySet<number>;
  /** Accounts that may have new operations, each with the time when this was noticed. */
  readonly #waiting = new Map<number, number>();
  /** The spans of the calls that appended to the logs of waiting and busy accounts. */
  readonly #causes = new Map<number, readonly Span[]>();
  readonly #busy = new Map<number, number>();
  readonly #resting = new Map<number, number>();
  readonly #failures = new Map<number, number>();
  readonly #timers = new Set<Timer>();
  readonly #end = new AbortController();
  readonly #advance: (position: readonly [accountId: number, revision: number]) => Promise<void>;
  #isDue = false;
  #isScanning = false;

  constructor(definition: SubscriberDefinition, deps: SubscriberDeps) {
    const { name, types } = definition;
    this.name = name;
    this.#definition = definition;
    this.#deps = deps;
    this.#types = new Set(types.map((type) => operationTypes[type]));
    this.#advance = deps.store.grouped(
      async (tx, positions: readonly (readonly [number, number])[]) => {
        await tx.each(
          q.advance,
          positions.map(([accountId, revision]) => [accountId, name, revision]),
        );
        return positions.map(() => undefined);
      },
      ([accountId]) => [`${name} ${accountId}`],
    );
  }

  /** Sets the cursors of a subscriber that is new to the database to the end of all logs. */
  async begin(): Promise<void> {
    const { store, ports } = this.#deps;
    await store.transact(async (tx) => {
      const isNew = await tx.one(q.addSubscriber, this.name, ports.clock.now());
      if (isNew) await tx.run(q.beginNow, this.name);
    });
  }

  /** Notes an appended operation, if this subscriber handles operations of its type. */
  noteOperation({ accountId, type }: LoggedOperation): void {
    if (this.#types.has(type)) this.note(accountId);
  }

  /** Notes that an account may have new operations. */
  note(accountId: number): void {
    if (this.#end.signal.aborted || this.#waiting.has(accountId)) return;
    if (this.#waiting.size >= MOST_WAITING || !this.#deps.shares.holds(accountId)) return;
    this.#waiting.set(accountId, this.#deps.ports.clock.monotonic());
    const spans = this.#deps.traces?.current() ?? NO_SPANS;
    if (spans.length > 0) this.#causes.set(accountId, spans);
    this.#schedule();
  }

  /** Looks through all logs once, to find operations that nobody noted. */
  async scan(): Promise<void> {
    if (this.#isScanning) return;
    this.#isScanning = true;
    try {
      let after = 0;
      while (!this.#end.signal.aborted && this.#waiting.size < MOST_WAITING / 2) {
        const last = await this.#scanAfter(after);
        if (last === null) return;
        after = last;
        await new Promise<void>((resolve) => this.#after(SCAN_PAUSE_MS, resolve));
      }
    } finally {
      this.#isScanning = false;
    }
  }

  /** Returns the milliseconds for which the account that was noted first has been waiting. */
  lagMs(): number {
    const times = [this.#waiting, this.#busy, this.#resting].flatMap((some) => [...some.values()]);
    const now = this.#deps.ports.clock.monotonic();
    return times.reduce((most, time) => Math.max(most, now - time), 0);
  }

  /** Returns the accounts whose operations are being handled. */
  busyAccounts(): Iterable<number> {
    return this.#busy.keys();
  }

  /**
   * Stops the subscriber. Running handlers get the abort signal, and their operations are handled again after the next
   * start.
   */
  close(): void {
    this.#end.abort();
    for (const timer of this.#timers) timer.cancel();
    this.#waiting.clear();
    this.#causes.clear();
  }

  async #scanAfter(after: number): Promise<number | null> {
    return this.#deps.store.read(async (reader) => {
      const last = (await reader.one(q.lastOfNext, after, SCANNED_AT_ONCE))?.last ?? null;
      if (last === null) return null;
      for (const { account_id } of await reader.all(q.lagging, this.name, after, last)) this.note(account_id);
      return last;
    });
  }

  #after(ms: number, run: () => void): void {
    const timer = this.#deps.ports.timers.after(ms, () => {
      this.#timers.delete(timer);
      run();
    });
    this.#timers.add(timer);
  }

  #schedule(): void {
    if (this.#isDue || this.#waiting.size === 0 || this.#end.signal.aborted) return;
    this.#isDue = true;
    this.#after(ROUND_MS, () => {
      void this.#ownWork(NO_SPANS, () => this.#round()).finally(() => {
        this.#isDue = false;
        this.#schedule();
      });
    });
  }

  /**
   * Runs work inside the given spans only. Without this, work that a timer runs would count as part of the call that
   * started the timer.
   */
  #ownWork<T>(spans: readonly Span[], work: () => T): T {
    const { traces } = this.#deps;
    return traces ? traces.runAfter(spans, work) : work();
  }

  /** Starts to handle the operations of some waiting accounts. */
  async #round(): Promise<void> {
    const chosen = this.#choose();
    if (chosen.length === 0) return;
    try {
      const positions = await this.#positions(chosen);
      const { wanted, others } = await this.#judge(positions);
      const [operations] = await Promise.all([
        this.#deps.store.read((reader) => operationsIn(reader, wanted, this.#types)),
        ...others.map(({ account_id, revision }) => this.#advance([account_id, revision])),
      ]);
      const kept = new Set(wanted.map(({ account_id }) => account_id));
      for (const accountId of chosen) {
        if (kept.has(accountId)) continue;
        this.#busy.delete(accountId);
        this.#causes.delete(accountId);
      }
      for (const position of wanted) {
        const { account_id } = position;
        const causes = this.#causes.get(account_id) ?? NO_SPANS;
        this.#causes.delete(account_id);
        void this.#ownWork(causes, () => this.#handle(position, operations.get(account_id) ?? []));
      }
    } catch (error) {
      this.#deps.logger.error({ error, subscriber: this.name }, 'a log subscriber could not read the logs');
      for (const accountId of chosen) this.#rest(accountId, FIRST_RETRY_MS);
    }
  }

  #choose(): number[] {
    const room = Math.min(MOST_BUSY - this.#busy.size, ACCOUNTS_AT_ONCE);
    const chosen: number[] = [];
    for (const [accountId, since] of this.#waiting) {
      if (chosen.length >= room) break;
      if (this.#busy.has(accountId) || this.#resting.has(accountId)) continue;
      this.#waiting.delete(accountId);
      if (!this.#deps.shares.holds(accountId)) {
        this.#failures.delete(accountId);
        this.#causes.delete(accountId);
        continue;
      }
      this.#busy.set(accountId, since);
      chosen.push(accountId);
    }
    return chosen;
  }

  async #positions(accountIds: readonly number[]): Promise<q.PositionRow[]> {
    const rows = accountIds.map((accountId) => [accountId, this.name]);
    const found = await this.#deps.store.read((reader) => reader.each(q.positions, rows));
    return found.filter(({ revision, handled }) => revision > handled);
  }

  async #judge(positions: readonly q.PositionRow[]) {
    const ids = positions.map(({ account_id }) => account_id);
    const { store } = this.#deps;
    const some = ids.length === 0 ? new Set() : await store.read((reader) => this.#definition.wanted(reader, ids));
    return {
      wanted: positions.filter(({ account_id }) => some.has(account_id)).map((position) => this.#next(position)),
      others: positions.filter(({ account_id }) => !some.has(account_id)),
    };
  }

  /**
   * Returns the range of operations to handle next. After a failure, the range is one operation, so that only an
   * operation that fails by itself is parked.
   */
  #next(position: q.PositionRow): NextOperations {
    const { account_id, revision, first_revision, handled } = position;
    const after = Math.max(handled, first_revision - 1);
    if (after > handled) {
      this.counts.missed += after - handled;
      const lost = { subscriber: this.name, accountId: account_id, after: handled, upTo: after };
      this.#deps.logger.warn(lost, 'a log subscriber was behind the trimmed log, and never saw these operations');
    }
    const most = this.#failures.has(account_id) ? 1 : OPERATIONS_AT_ONCE;
    return { account_id, after, last: Math.min(revision, after + most), revision };
  }

  async #handle(next: NextOperations, operations: readonly LoggedOperation[]): Promise<void> {
    const { account_id: accountId, last, revision } = next;
    const { signal } = this.#end;
    try {
      if (operations.length > 0) await this.#definition.handle(accountId, operations, signal);
      signal.throwIfAborted();
      await this.#advance([accountId, last]);
      this.counts.handled += operations.length;
      this.#failures.delete(accountId);
      this.#busy.delete(accountId);
      if (last < revision) this.note(accountId);
    } catch (error) {
      if (!signal.aborted) await this.#fail(next, error);
    }
    this.#schedule();
  }

  async #fail({ account_id: accountId, after, last }: NextOperations, error: unknown): Promise<void> {
    const failures = (this.#failures.get(accountId) ?? 0) + 1;
    this.#failures.set(accountId, failures);
    const about = { error, subscriber: this.name, accountId, after, last, failures };
    if (failures >= ATTEMPTS && last === after + 1) {
      try {
        await this.#park(accountId, last, error);
        this.#deps.logger.error(about, 'a log subscriber could not handle an operation, and passed it over');
        this.#rest(accountId, ROUND_MS);
        return;
      } catch (cause) {
        this.#deps.logger.error({ error: cause, subscriber: this.name }, 'an operation could not be parked');
      }
    }
    this.counts.retried += 1;
    this.#deps.logger.warn(about, 'a log subscriber could not handle operations, and tries again');
    this.#rest(accountId, Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS));
  }

  async #park(accountId: number, revision: number, error: unknown): Promise<void> {
    const { store, ports } = this.#deps;
    await store.transact(async (tx) => {
      await tx.run(q.park, this.name, revision, String(error), ports.clock.now(), accountId);
      await tx.each(q.advance, [[accountId, this.name, revision]]);
    });
    this.counts.parked += 1;
    this.#failures.delete(accountId);
  }

  /** Pauses the handling of an account for a time, then adds the account to the waiting ones again. */
  #rest(accountId: number, ms: number): void {
    const since = this.#busy.get(accountId) ?? this.#deps.ports.clock.monotonic();
    this.#busy.delete(accountId);
    this.#resting.set(accountId, since);
    this.#after(ms, () => {
      this.#resting.delete(accountId);
      this.#waiting.set(accountId, since);
      this.#schedule();
    });
  }
}
