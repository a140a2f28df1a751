// Sends messages through an XMPP server. Each person has one connection: senders write their messages one behind the
// other, as clients of XMPP do.
import { type LoopEvents, type LoopOrder, runClosedLoop, type SendMeasure, type Wire } from '../closed-loop.ts';
import { openXmpp, type XmppConnection, type XmppUser } from './xmpp.ts';

/** An order to send from `users[i]` to `users[i + 1]`, for every even i. */
export interface XmppOrder extends LoopOrder {
  readonly kind: 'xmpp';
  readonly port: number;
  readonly users: readonly XmppUser[];
  readonly textBytes: number;
}

/** The number of runs so far. It begins anew with each load process, so a run is also named after the time. */
let runs = Math.floor(Date.now() / 1000);

export function runXmppSends(order: XmppOrder): Promise<SendMeasure> {
  const pairs = order.users.length / 2;

  async function open(events: LoopEvents): Promise<Wire> {
    const connections: XmppConnection[] = [];
    for (const user of order.users) connections.push(await openXmpp(order.port, user, events));
    return {
      send(slot, mark) {
        const sender = (slot % pairs) * 2;
        connections[sender]?.send((order.users[sender + 1] as XmppUser).name, mark, order.textBytes);
      },
      close() {
        for (const connection of connections) connection.close();
      },
    };
  }

  runs += 1;
  return runClosedLoop(order, runs.toString(36), ['delivery'], open);
}
