// Sends a message so that the server stores it once: after a failure, the same call is repeated with the same reqSeq.
import type { Message } from '@sealpost/contract';
import type { Gateway } from '../gateway/calls.ts';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, pause } from '../gateway/ports.ts';
import type { Draft } from './draft.ts';

const RETRY: Backoff = { initialMs: 300, maxMs: 10_000, multiplier: 2, jitter: 0.5 };
const TRIES = 6;

/** Sends the message. An aborted signal ends the pauses and the attempts. */
export async function sendMessage(
  gateway: Gateway,
  ports: ClientPorts,
  draft: Draft,
  signal: AbortSignal,
): Promise<Message> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await deliver(gateway, draft);
    } catch (error) {
      if (!isPassing(error) || attempt + 1 === TRIES || signal.aborted) throw error;
      const wait = (error instanceof GatewayError && error.retryAfterMs) || backoffDelay(RETRY, attempt, ports.random);
      await pause(ports.timers, wait, signal);
    }
  }
}

/**
 * Sends the message once.
 * @throws GatewayError also if the answer is not a message; in that case, the message may have arrived
 */
export async function deliver(gateway: Gateway, { reqSeq, message }: Draft): Promise<Message> {
  const stored: Partial<Message> | null = await gateway.call('TalkService.sendMessage', reqSeq, message);
  if (/^\d+$/.test(stored?.id ?? '')) return stored as Message;
  throw new GatewayError('TalkService.sendMessage', 502, { message: 'the answer is no message' });
}
