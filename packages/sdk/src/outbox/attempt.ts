// One attempt to send a message of the outbox: seal it, store the sealed bytes, send them, and decide what the answer
// means.
import type { Message } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { ClientPorts } from '../gateway/ports.ts';
import { draftOf } from '../messaging/draft.ts';
import { isRepeatable } from '../messaging/repeatable.ts';
import type { RefusedMessage, SealingClient } from '../sealing/sealing-client.ts';
import type { PreparedMessage } from '../sealing/send.ts';
import { failureOf, type Outcome, outcomeOf } from './outcome.ts';
import type { Outgoing, SendFailureNote } from './outgoing.ts';
import { renewed, tried } from './states.ts';

export interface AttemptDeps {
  readonly client: Pick<BaseClient, 'TalkService' | 'session'>;
  readonly sealing: Pick<SealingClient, 'prepare' | 'learn'>;
  readonly clock: ClientPorts['clock'];
  /** The id of the newest message that is known in the chat. */
  readonly newestId: string;
  /** Stores the next state of the message. Returns it; undefined if the message left the outbox. */
  update(next: (now: Outgoing) => Outgoing | undefined): Promise<Outgoing | undefined>;
}

/** The next step of the outbox for a message after an attempt. */
export type AttemptResult =
  | { readonly kind: 'sent'; readonly message: Message | undefined }
  | { readonly kind: 'gone' }
  | { readonly kind: 'again'; readonly waitMs?: number | undefined }
  /** The account may not send now, so all its messages wait. */
  | { readonly kind: 'held'; readonly waitMs?: number | undefined }
  /** It is not known whether the message arrived. The operation log and the history of the chat are searched. */
  | { readonly kind: 'settle' }
  | { readonly kind: 'failed'; readonly failure: SendFailureNote; readonly odd?: boolean };

/** Maximum number of times that a message is prepared again after the server refused it because of its keys. */
export const RENEWALS = 2;

export async function attempt(deps: AttemptDeps, row: Outgoing): Promise<AttemptResult> {
  const session = deps.client.session?.tokens.loginSessionId;
  if (session === undefined) return { kind: 'held' };
  const first = row.firstAttempt;
  if (first && !isRepeatable(first, { session, time: deps.clock.now() })) return { kind: 'settle' };
  const ready = await prepared(deps, row, session);
  if ('kind' in ready) return ready;
  try {
    const message = await deps.client.TalkService.sendMessage(row.reqSeq, ready.outgoing);
    // An answer that belongs to another request does not tell whether this message was stored.
    if (!isAnswerTo(row, deps.client.session?.mid, message)) return { kind: 'again' };
    return { kind: 'sent', message };
  } catch (error) {
    return afterFailure(deps, row, ready, error);
  }
}

const isAnswerTo = ({ chatMid }: Outgoing, me: string | undefined, message: Partial<Message> | null): boolean =>
  message !== null && /^\d+$/.test(message.id ?? '') && message.from === me && message.to === chatMid;

/** Returns the bytes to send. New bytes are stored first, with the time of this attempt. */
async function prepared(deps: AttemptDeps, row: Outgoing, session: string): Promise<PreparedMessage | AttemptResult> {
  if (row.prepared && row.firstAttempt) return row.prepared;
  try {
    const bare = await deps.sealing.prepare(row.content, row.mode);
    const time = deps.clock.now();
    const { message } = draftOf(bare.outgoing, { reqSeq: row.reqSeq, own: deps.client.session?.mid, now: time });
    const made = { ...bare, outgoing: message };
    const firstAttempt = { time, session, after: deps.newestId };
    return (await deps.update((now) => tried(now, made, firstAttempt))) ? made : { kind: 'gone' };
  } catch (error) {
    // Nothing was sent yet. So after any error, the message has certainly not arrived.
    const outcome = outcomeOf(error, false);
    if (outcome.kind !== 'refused') return afterOpen(outcome);
    return { kind: 'failed', failure: outcome.failure, odd: outcome.odd };
  }
}

async function afterFailure(
  deps: AttemptDeps,
  row: Outgoing,
  made: PreparedMessage,
  error: unknown,
): Promise<AttemptResult> {
  const outcome = outcomeOf(error, made.sealed);
  if (outcome.kind === 'sent') return { kind: 'sent', message: undefined };
  if (outcome.kind !== 'refused') return afterOpen(outcome);
  const refused: RefusedMessage = { message: row.content, prepared: made, mode: row.mode };
  try {
    const renewable = error instanceof GatewayError && deps.sealing.learn(refused, error);
    if (!renewable || row.renewals >= RENEWALS) {
      return { kind: 'failed', failure: outcome.failure, odd: outcome.odd };
    }
  } catch (better) {
    return { kind: 'failed', failure: failureOf(better) };
  }
  return (await deps.update(renewed)) ? { kind: 'again', waitMs: row.renewals > 0 ? undefined : 0 } : { kind: 'gone' };
}

/** Returns the next step after an error that does not tell whether the message arrived. */
export const afterOpen = (outcome: Exclude<Outcome, { kind: 'refused' }>): AttemptResult =>
  outcome.kind === 'later' ? { kind: 'held', waitMs: outcome.waitMs } : { kind: 'again' };
