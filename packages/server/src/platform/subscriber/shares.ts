// Divides all accounts into shares. Each share belongs to one living server, which runs the log subscribers for its
// accounts. The shares of a dead server go to living servers.
import type { RunningServers } from '../servers/running-servers.ts';
import type { Store } from '../store/store.ts';
import * as q from './queries.ts';

/** The number of shares. It is a prime number, because most account ids end in the same bits. */
export const SHARES = 31;

export const shareOf = (accountId: number): number => accountId % SHARES;

export interface Shares {
  /** Returns true if this server runs the log subscribers for the account. */
  holds(accountId: number): boolean;
  /**
   * Tells the other servers that this one lives. Takes the shares that this server should have, and gives up the others.
   * Returns whether shares were taken.
   */
  keep(): Promise<boolean>;
  leave(): Promise<void>;
}

/** Holds all shares, for a server that does not share its database. */
export const allShares: Shares = {
  holds: () => true,
  keep: async () => false,
  leave: async () => {},
};

export interface SharesDeps {
  readonly store: Store;
  readonly servers: RunningServers;
  /** Returns true while operations of accounts in the share are being handled. Such a share is given up later. */
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
      // The list of servers is read after the shares. Otherwise, a share could belong to a server that started in
      // between, and this server would treat that server as dead.
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
