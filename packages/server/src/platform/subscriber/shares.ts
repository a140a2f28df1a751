// The shares of the accounts. Each share belongs to one living server, which runs the log subscribers for its accounts.
// A dead server's shares go to the others.
import type { RunningServers } from '../servers/running-servers.ts';
import type { Store } from '../store/store.ts';
import * as q from './queries.ts';

/** The number of shares. It is a prime, because the last bits of most account ids are alike. */
export const SHARES = 31;

export const shareOf = (accountId: number): number => accountId % SHARES;

export interface Shares {
  /** Returns whether this server works for the account. */
  holds(accountId: number): boolean;
  /** Keeps the shares of this server, gives up and takes shares. Returns whether shares were taken. */
  keep(): Promise<boolean>;
  leave(): Promise<void>;
}

/** All shares, for a server that has the database for itself. */
export const allShares: Shares = {
  holds: () => true,
  keep: async () => false,
  leave: async () => {},
};

export interface SharesDeps {
  readonly store: Store;
  readonly servers: RunningServers;
  /** Returns whether an operation of the share is being handled. Such a share is given up later. */
  readonly isBusy: (share: number) => boolean;
}

export function createShares({ store, servers, isBusy }: SharesDeps): Shares {
  const held = new Set<number>();
  const { id } = servers;

  async function take(share: number, from: string): Promise<boolean> {
    const taken = await store.transact((tx) => tx.one(q.takeShare, id, share, from));
    if (taken) held.add(share);
    return taken !== undefined;
  }

  return {
    holds: (accountId) => held.has(shareOf(accountId)) && servers.isTrusted(),
    async keep() {
      if (!(await servers.beat())) held.clear();
      const rows = await store.read((reader) => reader.all(q.shares));
      // The servers are read after the shares, so that the living holder of a share is never taken for dead.
      await servers.look();
      const living = servers.living();
      let isMore = false;
      for (const { share, server } of rows) {
        const isMine = living[share % living.length] === id;
        if (isMine && (server === id || !living.includes(server))) {
          if (!held.has(share)) isMore = (await take(share, server)) || isMore;
          continue;
        }
        held.delete(share);
        if (server === id && !isBusy(share)) await store.transact((tx) => tx.run(q.leaveShare, share, id));
      }
      return isMore;
    },
    async leave() {
      held.clear();
      await store.transact((tx) => tx.run(q.leaveShares, id));
      await servers.leave();
    },
  };
}
