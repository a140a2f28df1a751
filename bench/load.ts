// The program of the load process. Each order names a server and a kind of load. The answer to an order is the
// measurement.

import { setTimeout as pause } from 'node:timers/promises';
import { type ClientOrder, runClient } from './client-load.ts';
import { type LoopEvents, type LoopOrder, runClosedLoop, type SendMeasure, type Wire } from './closed-loop.ts';
import { type Connection, openConnection } from './connection.ts';
import { openEventReader } from './event-reader.ts';
import { type GroupOrder, runGroupSends } from './group-load.ts';
import { runTransfers, type TransferOrder } from './media-load.ts';
import { runXmppSends, type XmppOrder } from './peers/xmpp-load.ts';
import { keyOf, MARK, sendRequest, streamRequest, type User } from './request.ts';
import { runSealing, type SealingOrder } from './sealing-load.ts';
import { runStorm, type StormOrder } from './storm-load.ts';
import { runSyncs, type SyncOrder } from './sync-load.ts';

/** An order to send from `users[i]` to `users[i + 1]`, for every even i. */
export interface SendOrder extends LoopOrder {
  readonly kind: 'send';
  readonly port: number;
  readonly users: readonly User[];
  /** True if a slot sends again only after the recipient's stream has delivered the message. */
  readonly delivered: boolean;
  /** The length of a text; without it, the body of a request has a fixed length. */
  readonly textBytes?: number;
}

export interface GatewayMeasure extends SendMeasure {
  readonly responseBytes: number;
}

export interface StreamsOrder {
  readonly kind: 'streams';
  readonly port: number;
  readonly users: readonly User[];
  readonly count: number;
}

export type Order =
  | SendOrder
  | XmppOrder
  | GroupOrder
  | SyncOrder
  | StormOrder
  | TransferOrder
  | SealingOrder
  | StreamsOrder
  | ClientOrder
  | { readonly kind: 'close-streams' };

let failure: Error | undefined;
const failed = (error: Error): void => {
  failure ??= error;
};

/**
 * The highest reqSeq that was used so far. It rises over all orders, so that no two sends of a session have the same
 * reqSeq.
 */
let reqSeq = Math.floor(Date.now() / 1000) & 0x3fffffff;

async function runSends(order: SendOrder): Promise<GatewayMeasure> {
  reqSeq += 1_000_000;
  const pairs = order.users.length / 2;
  let responseBytes = 0;

  async function open({ answered, delivered, failed: lost }: LoopEvents): Promise<Wire> {
    const readers = order.delivered
      ? await Promise.all(
          order.users
            .filter((_, i) => i % 2 === 1)
            .map((user) => openEventReader(order.port, streamRequest(user, keyOf(user)), MARK, delivered, lost)),
        )
      : [];
    const slots: { connection: Connection; sender: User; to: string; key: ReturnType<typeof keyOf> }[] = [];
    for (let i = 0; i < order.inFlight; i++) {
      const sender = order.users[(i % pairs) * 2] as User;
      const to = (order.users[(i % pairs) * 2 + 1] as User).mid;
      slots.push({ connection: await openConnection(order.port, lost), sender, to, key: keyOf(sender) });
    }
    if (order.delivered) await pause(300);
    return {
      send(slot, mark) {
        const { connection, sender, to, key } = slots[slot] as (typeof slots)[number];
        connection.send(sendRequest(sender, key, ++reqSeq, to, mark, order.textBytes), (status, body) => {
          if (status !== 200) lost(new Error(`a send was answered ${status}: ${body}`));
          responseBytes = body.length;
          answered(slot);
        });
      },
      close() {
        for (const { connection } of slots) connection.close();
        for (const reader of readers) reader.close();
      },
    };
  }

  const awaited = order.delivered ? (['answer', 'delivery'] as const) : (['answer'] as const);
  return { ...(await runClosedLoop(order, reqSeq.toString(36), awaited, open)), responseBytes };
}

let idle: { close(): void }[] = [];

async function openStreams(order: StreamsOrder): Promise<number> {
  const batch = 50;
  const keys = order.users.map(keyOf);
  for (let done = 0; done < order.count; done += batch) {
    const opened = Array.from({ length: Math.min(batch, order.count - done) }, (_, i) => {
      const at = (done + i) % order.users.length;
      const user = order.users[at] as User;
      return openEventReader(
        order.port,
        streamRequest(user, keys[at] as ReturnType<typeof keyOf>),
        MARK,
        () => {},
        failed,
      );
    });
    idle.push(...(await Promise.all(opened)));
  }
  if (failure) throw failure;
  return idle.length;
}

async function carryOut(order: Order): Promise<unknown> {
  failure = undefined;
  if (order.kind === 'send') return runSends(order);
  if (order.kind === 'xmpp') return runXmppSends(order);
  if (order.kind === 'group') {
    reqSeq += 1_000_000;
    return runGroupSends(order, reqSeq);
  }
  if (order.kind === 'sync') return runSyncs(order);
  if (order.kind === 'storm') return runStorm(order);
  if (order.kind === 'transfer') return runTransfers(order);
  if (order.kind === 'sealing') return runSealing(order);
  if (order.kind === 'client') return runClient(order);
  if (order.kind === 'streams') return openStreams(order);
  for (const stream of idle) stream.close();
  idle = [];
  return 0;
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
