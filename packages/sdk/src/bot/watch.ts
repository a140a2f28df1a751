// Logs problems of a bot's client: a lost connection, a missing key, and messages that were refused.
import type { Client } from '../client.ts';
import type { StateChange } from '../operations.ts';
import { SendFailed } from '../outbox/send-failed.ts';
import { sendFailures } from '../sealing/reasons.ts';
import type { BotLogger } from './logger.ts';

export interface WatchDeps {
  readonly logger: BotLogger;
  /** Called once for each message that was refused for good. */
  refused(error: SendFailed): Promise<void>;
  loggedOut(reason: string): void;
}

/**
 * Logs when the connection is lost, and when it is back. Logs the same reason only once until the client is online
 * again.
 */
export function tellConnection(client: Client, logger: BotLogger): void {
  let told: string | undefined;
  client.onConnection(({ state, reason = '' }: StateChange) => {
    if (state === 'online' && told !== undefined) {
      told = undefined;
      logger.info('online again');
    }
    if (state !== 'degraded' || told === reason) return;
    told = reason;
    logger.problem(`no connection: ${reason}`);
  });
}

/** Watches a client that is online, until the client is closed. */
export function watch(client: Client, deps: WatchDeps): void {
  client.onConnection(({ state, reason = '' }: StateChange) => state === 'logged_out' && deps.loggedOut(reason));
  void tellMissingKey(client, deps.logger);
  const refusals = (): void => void takeRefused(client, deps);
  client.replica.onChange(({ outbox }) => outbox.size > 0 && refusals());
  refusals();
}

async function tellMissingKey({ sealing }: Client, logger: BotLogger): Promise<void> {
  const state = await sealing.ownKey().catch(() => undefined);
  if (state?.kind !== 'missing') return;
  const { cause, remedy } = sendFailures['own-key-missing'];
  logger.problem(`sealed messages stay closed: ${cause}. What helps: ${remedy}`);
}

/** Reports refused messages, and removes them from the outbox, because nobody looks into the outbox of a bot. */
async function takeRefused({ outbox }: Client, { logger, refused }: WatchDeps): Promise<void> {
  for (const { localId, chatMid, state, failure } of outbox.all()) {
    if (state !== 'failed' || !failure || !(await outbox.cancel(localId).catch(() => false))) continue;
    const error = new SendFailed(localId, failure);
    logger.problem(`a message to ${chatMid} was refused`, error);
    await refused(error);
  }
}
