// The servers that share one database. Each server regularly raises a number in the database, its beat, and writes
// which accounts have a stream or a poll open at it. A server whose beat stays the same for too long is dead. Each
// server measures this time with its own monotonic clock, so the clocks of the servers need not agree.
import type { Clock, Random, Timers } from '@sealpost/contract/ports';
import { randomHex } from '../kernel/random-text.ts';
import type { Store } from '../store/store.ts';
import * as q from './queries.ts';

/** Milliseconds between two beats. */
export const BEAT_MS = 2_000;
/** Milliseconds after which a server counts as dead if its beat has not risen. */
const DEAD_AFTER_MS = 10_000;
/** Milliseconds after its last beat during which a server may assume that no other server has removed it. */
const TRUST_MS = 8_000;
const ID_BYTES = 8;

export interface RunningServersDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly timers: Timers;
  /** Returns the accounts with an open stream or poll at this server. */
  readonly openAccounts: () => Iterable<number>;
}

export interface RunningServers {
  /** The id of this server. Each start makes a new one. */
  readonly id: string;
  /** Raises the beat of this server. Returns false if another server had removed this server as dead. */
  beat(): Promise<boolean>;
  /** Reads the beats of all servers, and removes dead servers. */
  look(): Promise<void>;
  /** Returns the ids of the living servers, this one included. Every server lists them in the same order. */
  living(): readonly string[];
  /** Returns true if this server's last beat is so recent that no other server can count it as dead. */
  isTrusted(): boolean;
  /**
   * Returns whether an account has a stream or a poll open at another server. Waits for the next beat of that server,
   * because the rows of a server that has just died still exist.
   */
  isOpenElsewhere(accountId: number, signal: AbortSignal): Promise<boolean>;
  leave(): Promise<void>;
}

interface SeenBeat {
  readonly beat: number;
  /** Time on this server's monotonic clock when this server first saw the beat. */
  readonly since: number;
}

export function createRunningServers(deps: RunningServersDeps): RunningServers {
  const { store, clock, random, timers, openAccounts } = deps;
  const id = randomHex(random, ID_BYTES);
  const seen = new Map<string, SeenBeat>();
  /** The accounts in the rows of this server; undefined if it is not known whether the last beat was stored. */
  let written: ReadonlySet<number> | undefined = new Set();
  let beatAt = Number.NEGATIVE_INFINITY;

  async function remove({ id: dead, beat }: q.ServerRow): Promise<void> {
    await store.transact(async (tx) => {
      if (await tx.one(q.removeServer, dead, beat)) await tx.run(q.forgetOpen, dead);
    });
    seen.delete(dead);
  }

  return {
    id,
    async beat() {
      const begun = clock.monotonic();
      const open = new Set(openAccounts());
      const last = written;
      written = undefined;
      const known = await store.transact(async (tx) => {
        const raised = (await tx.one(q.raiseBeat, id)) !== undefined;
        if (!raised) await tx.run(q.joinServers, id);
        if (raised && !last) await tx.run(q.forgetOpen, id);
        const before = (raised && last) || new Set<number>();
        await tx.each(q.noteOpen, rowsOf(open, before, id));
        await tx.each(q.noteClosed, rowsOf(before, open, id));
        return raised;
      });
      written = open;
      beatAt = begun;
      return known;
    },
    async look() {
      const rows = await store.read((reader) => reader.all(q.runningServers));
      const now = clock.monotonic();
      const there = new Set(rows.map((row) => row.id));
      for (const other of seen.keys()) if (!there.has(other)) seen.delete(other);
      for (const row of rows) {
        const last = seen.get(row.id);
        if (last?.beat !== row.beat) seen.set(row.id, { beat: row.beat, since: now });
        else if (row.id !== id && now - last.since > DEAD_AFTER_MS) await remove(row);
      }
    },
    living: () => [...new Set([...seen.keys(), id])].sort(),
    isTrusted: () => clock.monotonic() - beatAt < TRUST_MS,
    async isOpenElsewhere(accountId, signal) {
      const first = new Map<string, number>();
      while (!signal.aborted) {
        const rows = await store.read((reader) => reader.all(q.openElsewhere, accountId, id));
        if (rows.length === 0) return false;
        for (const row of rows) {
          const beat = first.get(row.id) ?? row.beat;
          if (row.beat > beat) return true;
          first.set(row.id, beat);
        }
        await new Promise<void>((resolve) => timers.after(BEAT_MS, resolve));
      }
      return false;
    },
    leave: () =>
      store.transact(async (tx) => {
        await tx.run(q.leaveServers, id);
        await tx.run(q.forgetOpen, id);
      }),
  };
}

const rowsOf = (accounts: ReadonlySet<number>, without: ReadonlySet<number>, server: string) =>
  [...accounts].filter((account) => !without.has(account)).map((account) => [account, server]);
