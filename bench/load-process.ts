// Starts the load process. Passes orders from the main process of the bench to it, and results back.
import path from 'node:path';
import type { ClientMeasure, ClientOrder } from './client-load.ts';
import type { SendMeasure } from './closed-loop.ts';
import type { GroupMeasure, GroupOrder } from './group-load.ts';
import type { GatewayMeasure, Order, SendOrder, StreamsOrder } from './load.ts';
import type { TransferMeasure, TransferOrder } from './media-load.ts';
import type { XmppOrder } from './peers/xmpp-load.ts';
import { LOAD_CORE, messageOf, spawnPinned, stop } from './pinned-process.ts';
import type { SealingMeasure, SealingOrder } from './sealing-load.ts';
import type { StormMeasure, StormOrder } from './storm-load.ts';
import type { SyncMeasure, SyncOrder } from './sync-load.ts';

export interface LoadProcess {
  send(order: Omit<SendOrder, 'kind'>): Promise<GatewayMeasure>;
  sendXmpp(order: Omit<XmppOrder, 'kind'>): Promise<SendMeasure>;
  sendToGroup(order: Omit<GroupOrder, 'kind'>): Promise<GroupMeasure>;
  synchronize(order: Omit<SyncOrder, 'kind'>): Promise<SyncMeasure[]>;
  logIn(order: Omit<StormOrder, 'kind'>): Promise<StormMeasure>;
  transfer(order: Omit<TransferOrder, 'kind'>): Promise<TransferMeasure>;
  seal(order: Omit<SealingOrder, 'kind'>): Promise<SealingMeasure>;
  follow(order: Omit<ClientOrder, 'kind'>): Promise<ClientMeasure[]>;
  openStreams(order: Omit<StreamsOrder, 'kind'>): Promise<number>;
  closeStreams(): Promise<void>;
  stop(): Promise<void>;
}

/** @param options `core`: the core of the load; undefined if it may use all */
export async function startLoad(
  { core }: { readonly core: number | undefined } = { core: LOAD_CORE },
): Promise<LoadProcess> {
  const child = spawnPinned(path.join(import.meta.dirname, 'load.ts'), [], { core });
  await messageOf(child);
  async function carryOut(order: Order): Promise<unknown> {
    const answer = messageOf(child);
    child.send(order);
    const { result, error } = (await answer) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result;
  }
  return {
    send: async (order) => (await carryOut({ kind: 'send', ...order })) as GatewayMeasure,
    sendXmpp: async (order) => (await carryOut({ kind: 'xmpp', ...order })) as SendMeasure,
    sendToGroup: async (order) => (await carryOut({ kind: 'group', ...order })) as GroupMeasure,
    synchronize: async (order) => (await carryOut({ kind: 'sync', ...order })) as SyncMeasure[],
    logIn: async (order) => (await carryOut({ kind: 'storm', ...order })) as StormMeasure,
    transfer: async (order) => (await carryOut({ kind: 'transfer', ...order })) as TransferMeasure,
    seal: async (order) => (await carryOut({ kind: 'sealing', ...order })) as SealingMeasure,
    follow: async (order) => (await carryOut({ kind: 'client', ...order })) as ClientMeasure[],
    openStreams: async (order) => (await carryOut({ kind: 'streams', ...order })) as number,
    closeStreams: async () => void (await carryOut({ kind: 'close-streams' })),
    stop: () => stop(child, 'SIGKILL'),
  };
}
