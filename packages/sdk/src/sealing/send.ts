// Sends messages: sealed if possible for everybody, and in the clear where the protocol says so. After a refusal, drops
// the cached answers that are out of date, and tries again, three times at most.
import { contentTypes, type Message, type OutgoingMessage } from '@sealpost/contract';
import type { Ports } from '@sealpost/contract/ports';
import { isSealableType, sealMessage } from '@sealpost/crypto';
import type { BaseClient } from '../base-client.ts';
import { GatewayError } from '../gateway/errors.ts';
import { type Backoff, backoffDelay, pause } from '../gateway/ports.ts';
import { envelopeOf, payloadOf, plainOf, restored, type SealableMessage, type SealedMedia } from './content.ts';
import { type PlainReason, SealingError } from './reasons.ts';
import type { Keys, SealPlan } from './seal-plan.ts';
import { formFor, type SendMode } from './send-mode.ts';

/** A message that the server stored, and whether it was sealed. */
export interface SentMessage {
  /** The message as the server stored it, with the content that was sealed. */
  readonly message: Message & { readonly media?: SealedMedia };
  readonly sealed: boolean;
  /** The reason why the message went in the clear; undefined if it was sealed. */
  readonly plainBecause?: PlainReason;
}

export interface SealedSendOptions {
  readonly mode?: SendMode;
  /**
   * The reqSeq of an earlier attempt to send the same message. The message must have the `createdTime` of that attempt.
   * Then the server does not store the message a second time.
   */
  readonly reqSeq?: number;
}

const TRIES = 3;
/**
 * The pause before the last attempt. When many members write into a new chat at once, each of them makes a group key.
 * After the pause, all use the newest key.
 */
const SETTLING: Backoff = { initialMs: 500, maxMs: 500, multiplier: 1, jitter: 0.5 };

/** A message ready for the server: sealed, or in the clear with the reason. It is JSON, so it can be stored. */
export interface PreparedMessage {
  readonly outgoing: OutgoingMessage;
  readonly sealed: boolean;
  readonly plainBecause?: PlainReason;
}

interface SendDeps {
  readonly client: BaseClient;
  readonly keys: Keys;
  readonly ports: Ports;
}

/**
 * Sends a message.
 * @throws SealingError if the message must not be sent in the requested mode; GatewayError if the server refuses it
 */
export async function sendSealed(
  { client, keys, ports }: SendDeps,
  given: SealableMessage,
  { mode = 'auto', reqSeq = client.nextReqSeq() }: SealedSendOptions,
): Promise<SentMessage> {
  // All attempts have the same reqSeq and time. So the server recognizes a message that it has already stored, if only
  // the answer was lost.
  const message = { createdTime: String(ports.clock.now()), ...given };
  for (let attempt = 1; ; attempt++) {
    const prepared = await prepareMessage({ client, keys }, message, mode);
    try {
      return sentMessage(message, prepared, await client.send(prepared.outgoing, { reqSeq }));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.error === 'DUPLICATED' && prepared.sealed) {
        const sent = await findSent(client, prepared.outgoing);
        if (sent) return sentMessage(message, prepared, sent);
      }
      const learned = learn(keys, { message, prepared, mode }, error);
      if (!learned || attempt === TRIES) throw error;
      if (attempt > 1) await pause(ports.timers, backoffDelay(SETTLING, 0, ports.random));
    }
  }
}

/**
 * Returns the message in the form in which the server gets it. If the message is sealed, each call gives other bytes.
 * @throws SealingError if the message must not be sent in this mode
 */
export async function prepareMessage(
  { client, keys }: Pick<SendDeps, 'client' | 'keys'>,
  message: SealableMessage,
  mode: SendMode,
): Promise<PreparedMessage> {
  const plan = withContent(await formFor(keys, client.trust, message, mode), message, mode);
  if (!plan.sealed) return { outgoing: plainOf(message), sealed: false, plainBecause: plan.because };
  const payload = payloadOf(plan.type, message);
  if (!payload) throw new SealingError('no-key-material', message.to);
  const parties = { to: message.to, from: keys.own.mid, contentType: plan.type };
  // The chat is marked as sealed before the send. Even if this send fails, a later message must not go in the clear
  // unless the user asks for it.
  await client.trust.rememberSealed(message.to);
  const chunks = await sealMessage(plan.keys(), parties, payload as never);
  return { outgoing: { ...envelopeOf(message), from: keys.own.mid, chunks }, sealed: true };
}

/** Returns a message that the server stored, with the content that was sealed. */
export function sentMessage(
  given: SealableMessage,
  { sealed, plainBecause }: Pick<PreparedMessage, 'sealed' | 'plainBecause'>,
  stored: Message,
): SentMessage {
  if (!sealed) return { message: stored, sealed, ...(plainBecause && { plainBecause }) };
  const type = given.contentType ?? contentTypes.NONE;
  const payload = isSealableType(type) ? payloadOf(type, given) : undefined;
  return { message: payload ? restored(stored, payload) : stored, sealed };
}

/** Number of newest messages of a chat in which a message from an earlier attempt is searched. */
const RECENT = 100;

/** Returns the message of the account that has exactly these sealed bytes; undefined if it is not among the newest. */
export async function findSent(
  client: Pick<BaseClient, 'TalkService' | 'session'>,
  { to, chunks }: OutgoingMessage,
): Promise<Message | undefined> {
  const own = client.session?.mid;
  const recent = await client.TalkService.getRecentMessagesV2(to, RECENT);
  return recent.find((message) => message.from === own && chunks?.join() === message.chunks?.join());
}

/**
 * Drops cached answers that are out of date according to a refusal. Returns whether another attempt can succeed.
 * @throws SealingError if the chat takes only sealed messages, and this one had to go in the clear
 */
export function learn(
  keys: Keys,
  refused: { readonly message: SealableMessage; readonly prepared: PreparedMessage; readonly mode: SendMode },
  error: GatewayError,
): boolean {
  const { message, prepared, mode } = refused;
  if (mode === 'plain' && WANTS_SEALED.includes(error.error)) {
    throw new SealingError('must-be-sealed', message.to, { cause: error });
  }
  if (!prepared.sealed && prepared.plainBecause === 'no-sealed-form') return false;
  return dropOutdated(keys, message.to, error) !== undefined;
}

const WANTS_SEALED: readonly (string | undefined)[] = ['E2EE_RETRY_ENCRYPT', 'E2EE_RECREATE_GROUP_KEY'];

const MEDIA: readonly number[] = [contentTypes.IMAGE, contentTypes.VIDEO, contentTypes.AUDIO, contentTypes.FILE];

/** Returns the plan. If the message has no content to seal, returns a plan to send it in the clear. */
function withContent(plan: SealPlan, message: SealableMessage, mode: SendMode): SealPlan {
  const wanted = plan.sealed && payloadOf(plan.type, message) === undefined ? withoutPayload(message) : plan;
  if (wanted.sealed) return wanted;
  // If an object was sealed, its message must be sealed too: a plain message has no key to open the object.
  if (mode === 'sealed' || message.media) {
    throw new SealingError('must-be-plain', message.to, { plainBecause: wanted.because });
  }
  return wanted;
}

function withoutPayload({ contentType = 0, to }: SealableMessage): SealPlan {
  if (MEDIA.includes(contentType)) throw new SealingError('no-key-material', to);
  return { sealed: false, because: 'no-sealed-form' };
}

/**
 * Drops the cached answers that are out of date according to the refusal. Returns undefined if another attempt would
 * not help.
 */
function dropOutdated({ own, peers, groups }: Keys, to: string, { error }: GatewayError): 'learned' | undefined {
  switch (error) {
    case 'E2EE_UPDATE_SENDER_KEY':
    case 'E2EE_SENDER_DISABLED':
      own.forget();
      return 'learned';
    case 'E2EE_INVALID_VERSION':
    case 'E2EE_UPDATE_RECEIVER_KEY':
    case 'E2EE_RECEIVER_DISABLED':
      peers.forget(to);
      return 'learned';
    case 'E2EE_RETRY_ENCRYPT':
      own.forget();
      peers.forget(to);
      groups.forget(to);
      return 'learned';
    case 'E2EE_RETRY_PLAIN':
    case 'E2EE_RECREATE_GROUP_KEY':
    case 'E2EE_GROUP_TOO_MANY_MEMBERS':
      groups.forget(to);
      return 'learned';
    default:
      return undefined;
  }
}
