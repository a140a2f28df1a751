import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Timer, Timers } from '@sealpost/contract/ports';
import type { Bus, WakeKind } from './bus.ts';

const SUBJECT = 'sealpost.wake';
const KINDS: readonly WakeKind[] = ['log', 'sessions'];
/** Account ids of one round of the event loop, sent as one message. */
const SEPARATOR = ' ';
const MAX_IDS = 4000;
/** How long a server that ends waits until NATS took what was published. */
const DRAIN_MS = 2_000;
const ACCOUNT_ID = /^\d{1,16}$/;

/**
 * @param url `nats://host:port`; credentials in the url
 * @param onError what went wrong with the connection; it reconnects by itself, for ever
 */
export async function connectNats(
  url: string,
  name: string,
  timers: Timers,
  onError: (error: Error) => void,
): Promise<Bus> {
  const { host, username, password } = new URL(url);
  const connection: NatsConnection = await connect({
    servers: host,
    name,
    noEcho: true,
    maxReconnectAttempts: -1,
    timeout: 2_000,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
  }).catch((error: unknown) => {
    throw new Error(
      `cannot connect to NATS at ${host}: ${(error as Error).message}. Check that it runs and that bus-url names it.`,
      { cause: error },
    );
  });
  void connection.closed().then((error) => error && onError(error));
  const waiting = new Map<WakeKind, Set<number>>(KINDS.map((kind) => [kind, new Set()]));
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    for (const [kind, accounts] of waiting) {
      const ids = [...accounts];
      accounts.clear();
      if (connection.isClosed()) continue;
      for (let i = 0; i < ids.length; i += MAX_IDS) {
        connection.publish(`${SUBJECT}.${kind}`, ids.slice(i, i + MAX_IDS).join(SEPARATOR));
      }
    }
  }

  return {
    kind: 'nats',
    location: `nats://${host}`,
    wake(kind, accountIds) {
      for (const id of accountIds) waiting.get(kind)?.add(id);
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
    onWake(listener) {
      for (const kind of KINDS) {
        connection.subscribe(`${SUBJECT}.${kind}`, {
          callback(error, message) {
            if (error) return onError(error);
            for (const text of message.string().split(SEPARATOR)) {
              if (ACCOUNT_ID.test(text)) listener(kind, Number(text));
            }
          },
        });
      }
    },
    check: async () => {
      await connection.flush();
    },
    async close() {
      let late: Timer | undefined;
      const tooLate = new Promise<void>((resolve) => {
        late = timers.after(DRAIN_MS, resolve);
      });
      // One that is frozen takes nothing any more; other servers find what they were not told of at their next poll.
      await Promise.race([connection.drain(), tooLate]);
      late?.cancel();
      if (!connection.isClosed()) await connection.close();
    },
  };
}
