import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Timer, Timers } from '@sealpost/contract/ports';
import type { Bus } from './bus.ts';
import { gatherWakes, wakeKinds } from './gathered-wakes.ts';

const SUBJECT = 'sealpost.wake';
/**
 * Separates the account ids in a message. A message holds at most MAX_IDS ids, all noted in one turn of the event loop.
 */
const SEPARATOR = ' ';
const MAX_IDS = 4000;
/** Milliseconds that a stopping server waits until NATS has received all messages. */
const DRAIN_MS = 2_000;
const ACCOUNT_ID = /^\d{1,16}$/;

/**
 * Connects to NATS. A lost connection is restored automatically, without a limit of attempts, and even after NATS has
 * refused the credentials for a time.
 * @param url `nats://host:port`, which may contain credentials
 * @param onError called with errors of the connection; with each error once until the connection is restored
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
    ignoreAuthErrorAbort: true,
    timeout: 2_000,
    ...(username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
  }).catch((error: unknown) => {
    throw new Error(
      `cannot connect to NATS at ${host}: ${(error as Error).message}. Check that it runs and that bus-url names it.`,
      { cause: error },
    );
  });
  void connection.closed().then((error) => error && onError(error));
  void tellErrors(connection, onError);
  let closing = false;

  return {
    kind: 'nats',
    location: `nats://${host}`,
    wake: gatherWakes((kind, ids) => {
      for (let i = 0; i < ids.length && !closing; i += MAX_IDS) {
        connection.publish(`${SUBJECT}.${kind}`, ids.slice(i, i + MAX_IDS).join(SEPARATOR));
      }
    }),
    onWake(listener) {
      for (const kind of wakeKinds) {
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
      // NATS throws at what is published while it is closed. The polls of the other servers find such a change.
      closing = true;
      let late: Timer | undefined;
      const tooLate = new Promise<void>((resolve) => {
        late = timers.after(DRAIN_MS, resolve);
      });
      // If NATS does not respond, the messages that NATS has not received are dropped. The polls of the other servers
      // find the changes.
      await Promise.race([connection.drain(), tooLate]);
      late?.cancel();
      if (!connection.isClosed()) await connection.close();
    },
  };
}

async function tellErrors(connection: NatsConnection, onError: (error: Error) => void): Promise<void> {
  const told = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type === 'reconnect') told.clear();
    if (status.type !== 'error' || told.has(status.error.message)) continue;
    told.add(status.error.message);
    onError(status.error);
  }
}
