// Logs problems of a bot's client: a lost connection and a missing key.
import type { Client } from '../client.ts';
import type { StateChange } from '../operations.ts';
import { sendFailures } from '../sealing/reasons.ts';
import type { BotLogger } from './logger.ts';

export interface WatchDeps {
  readonly logger: BotLogger;
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
}

async function tellMissingKey({ sealing }: Client, logger: BotLogger): Promise<void> {
  const state = await sealing.ownKey().catch(() => undefined);
  if (state?.kind !== 'missing') return;
  const { cause, remedy } = sendFailures['own-key-missing'];
  logger.problem(`sealed messages stay closed: ${cause}. What helps: ${remedy}`);
}
