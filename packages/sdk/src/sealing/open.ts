// Opens messages, received or sent, of any age. To open a message, finds the keys that it names and checks who owns
// them.
import { contentTypes, type Message, midPrefix } from '@sealpost/contract';
import {
  isSealableType,
  type MessageKeys,
  OpenError,
  openMessage,
  readSealedHeader,
  type SealableType,
  type SealedHeader,
  type SealedMessage,
  type SealedPayloads,
  toBase64,
} from '@sealpost/crypto';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { KeyTrustError } from '../trust/key-trust-error.ts';
import type { KeyTrust } from '../trust/trust.ts';
import { restored, type SealedMedia, withoutContent } from './content.ts';
import type { OpeningKey } from './group-key-registry.ts';
import { type OpenFailure, openFailures, UnopenedError, unprovenKey } from './reasons.ts';
import type { Keys } from './seal-plan.ts';

/** How a message was sealed, and whether it could be opened. */
export type Sealing =
  | { readonly state: 'plain' }
  | ({ readonly state: 'opened' } & SealedHeader & FromGroupKey)
  /**
   * The message opens, but the creator of its group key is not known as a member of the chat. Anybody whom the server
   * let in may have written the message. Trust it as little as a plain message.
   */
  | ({
      readonly state: 'unproven';
      readonly cause: string;
      readonly remedy: string;
      readonly detail: string;
    } & SealedHeader &
      FromGroupKey)
  | {
      readonly state: 'unopened';
      readonly reason: OpenFailure;
      /** An explanation of what happened, for users. `remedy` says what the user can do. */
      readonly cause: string;
      readonly remedy: string;
      /** The exact finding, for error reports. */
      readonly detail: string;
      /**
       * The thing that is missing now, if the message may open later: an answer of the server, or the account's key
       * with this id. When the answer or key arrives, the replica opens the message.
       */
      readonly waitsFor?: 'server' | { readonly keyId: number };
    };

interface FromGroupKey {
  /** The mid of the group key's creator, for a group or room. */
  readonly creator?: string;
}

/** A message from the server, with its sealed content if it could be opened. */
export interface OpenedMessage extends Message {
  readonly sealing: Sealing;
  /** The key of the object, for a sealed picture, video, sound or file. */
  readonly media?: SealedMedia;
}

/** Called for each step of opening: what is checked, and what was found. */
export type Trace = (step: string, found: string) => void;

export interface Opener {
  /** Opens a message. Never throws: the result says why a message cannot be opened. */
  open(message: Message, trace?: Trace): Promise<OpenedMessage>;
}

type Payload = SealedPayloads[SealableType];
type Sealed = SealedMessage<SealableType>;

const MOST_SEEN = 20_000;
const silent: Trace = () => {};

export function createOpener(keys: Keys, trust: KeyTrust): Opener {
  /**
   * For each ciphertext, the id of the message in which the ciphertext came first. A server could deliver the same
   * ciphertext again as another message.
   */
  const seen = new Map<string, string>();

  function requireFirst(message: Message): void {
    const name = `${message.to} ${message.from} ${message.chunks?.[0]} ${message.chunks?.[2]}`;
    const first = seen.get(name);
    if (first !== undefined && first !== message.id) throw new UnopenedError('repeated', `it came as ${first} before`);
    seen.set(name, message.id);
    if (seen.size > MOST_SEEN) seen.delete(seen.keys().next().value as string);
  }

  const chatOf = ({ to, from }: Message): string => (to === keys.own.mid ? from : to);
  // Remembers that the chat is sealed, also if the message does not open: this device may lack its key. A failure is
  // ignored, because the next message of the chat tries again.
  const remember = (chatMid: string) => trust.rememberSealed(chatMid).catch(() => undefined);

  return {
    async open(message, trace = silent) {
      if (!message.chunks?.length) return { ...message, sealing: { state: 'plain' } };
      await remember(chatOf(message));
      try {
        const header = readSealedHeader(message.chunks);
        trace(
          'chunks',
          `version ${header.version}, sender key ${header.senderKeyId}, receiver key ${header.receiverKeyId}`,
        );
        const sealed = requireConsistent(message);
        const group = await findGroupKey(keys, message, header, trace);
        const payload = await openWith(await findKeys(keys, message, header, group, trace), sealed);
        trace('content', 'opens');
        requireFirst(message);
        const sealing = sealingOf(message, header, group);
        return { ...restored(message, payload), sealing };
      } catch (error) {
        return { ...withoutContent(message), sealing: unopened(error) };
      }
    },
  };
}

function requireConsistent({ to, from, chunks = [], contentType, contentMetadata }: Message): Sealed {
  if (!isSealableType(contentType)) {
    throw new UnopenedError('metadata-changed', `messages of content type ${contentType} are never sealed`);
  }
  const marked = contentMetadata.contentType;
  if (marked !== undefined && marked !== String(contentType)) {
    throw new UnopenedError('metadata-changed', `it is marked as content type ${marked} and came as ${contentType}`);
  }
  return { to, from, contentType, chunks, e2eeVersion: contentMetadata.e2eeVersion };
}

const isChat = ({ to }: Message): boolean => !to.startsWith(midPrefix.user);

/** Returns the group key that the message names; undefined for messages between two users. */
async function findGroupKey(
  { groups }: Keys,
  message: Message,
  { receiverKeyId }: SealedHeader,
  trace: Trace,
): Promise<OpeningKey | undefined> {
  if (!isChat(message)) return undefined;
  const group = await groups.require(message.to, receiverKeyId);
  trace('receiver key', `group key ${receiverKeyId} of this chat is here`);
  trace('group key', madeBy(group));
  return group;
}

const madeBy = ({ creator, proven }: OpeningKey): string => {
  if (creator === undefined) return 'who made it is not known';
  return proven ? `${creator}, a member of the chat, made it` : `${creator}, no known member of the chat, made it`;
};

function sealingOf(message: Message, header: SealedHeader, group: OpeningKey | undefined): Sealing {
  if (!group) return { state: 'opened', ...header };
  const from = group.creator === undefined ? {} : { creator: group.creator };
  if (group.proven) return { state: 'opened', ...header, ...from };
  const detail = `group key ${group.key.groupKeyId} of ${message.to}: ${madeBy(group)}`;
  return { state: 'unproven', ...header, ...from, ...unprovenKey, detail };
}

/** Returns the keys that the message names. Checks first that its sender and receiver own these keys. */
async function findKeys(
  keys: Keys,
  message: Message,
  header: SealedHeader,
  group: OpeningKey | undefined,
  trace: Trace,
): Promise<MessageKeys> {
  const { own, secrets } = keys;
  const { to, from } = message;
  const ids = { senderKeyId: header.senderKeyId, receiverKeyId: header.receiverKeyId };
  if (group) {
    const sender = await publicKeyOf(keys, from, ids.senderKeyId, 'wrong-sender');
    trace('sender key', `key ${ids.senderKeyId} is one of ${from}`);
    return { ...ids, sharedSecret: secrets.of(secretName(group.key), group.key.privateKey, sender) };
  }
  if (from !== own.mid && to !== own.mid) {
    throw new UnopenedError('wrong-receiver', `it is for ${to}, and this account is ${own.mid}`);
  }
  const sentByMe = from === own.mid;
  const mine = sentByMe
    ? await own.require(ids.senderKeyId, 'wrong-sender')
    : await own.require(ids.receiverKeyId, 'wrong-receiver');
  trace(sentByMe ? 'sender key' : 'receiver key', `key ${mine.keyId} of this account is here`);
  const theirs = sentByMe
    ? await publicKeyOf(keys, to, ids.receiverKeyId, 'wrong-receiver')
    : await publicKeyOf(keys, from, ids.senderKeyId, 'wrong-sender');
  trace(sentByMe ? 'receiver key' : 'sender key', `the other key is one of ${sentByMe ? to : from}`);
  return { ...ids, sharedSecret: secrets.of(`own ${mine.keyId}`, mine.privateKey, theirs) };
}

/**
 * Returns a name that is unique for each key. The id alone is not enough, because an unproven key may have the same id
 * as the real key.
 */
const secretName = ({ chatMid, groupKeyId, publicKey }: OpeningKey['key']): string =>
  `${chatMid} ${groupKeyId} ${toBase64(publicKey)}`;

async function publicKeyOf(
  { own, peers }: Keys,
  mid: string,
  keyId: number,
  otherwise: 'wrong-sender' | 'wrong-receiver',
): Promise<Uint8Array> {
  if (mid === own.mid) return (await own.require(keyId, otherwise)).publicKey;
  const key = await peers.find(mid, keyId);
  if (!key) throw new UnopenedError(otherwise, `key ${keyId} does not belong to ${mid}`);
  return key.publicKey;
}

async function openWith(keys: MessageKeys, sealed: Sealed): Promise<Payload> {
  try {
    return await openMessage(keys, sealed);
  } catch (error) {
    if (!(error instanceof OpenError) || error.reason !== 'tampered') throw error;
    const change = await changedField(keys, sealed);
    if (change === undefined) throw error;
    throw new UnopenedError('metadata-changed', change, { cause: error });
  }
}

/**
 * Finds the unencrypted field that was changed. Version 2 binds content type, sender and receiver, so the message opens
 * only with their original values. This function tries other values until the message opens.
 */
async function changedField(keys: MessageKeys, sealed: Sealed): Promise<string | undefined> {
  for (const contentType of Object.values(contentTypes)) {
    if (contentType === sealed.contentType || !isSealableType(contentType)) continue;
    if (await opens(keys, { ...sealed, contentType })) {
      return `it was sealed as content type ${contentType} and came as ${sealed.contentType}`;
    }
  }
  const { to, from } = sealed;
  return (await opens(keys, { ...sealed, to: from, from: to })) ? 'sender and receiver were exchanged' : undefined;
}

async function opens(keys: MessageKeys, sealed: Sealed): Promise<boolean> {
  try {
    await openMessage(keys, sealed);
    return true;
  } catch (error) {
    // The reason `payload` means that the content does not have the form of its type. But the content is authentic,
    // because the MAC was right.
    return error instanceof OpenError && error.reason === 'payload';
  }
}

function unopened(error: unknown): Sealing {
  const { reason, detail } = failureOf(error);
  const waitsFor = whatOpens(error);
  return { state: 'unopened', reason, ...openFailures[reason], detail, ...(waitsFor && { waitsFor }) };
}

function whatOpens(error: unknown): 'server' | { readonly keyId: number } | undefined {
  // A call that was refused because the session ended can succeed after the next login.
  const isLoggedOut = error instanceof GatewayError && (error.needsRenewal || error.endsSession);
  if (isLoggedOut || isPassing(error)) return 'server';
  return error instanceof UnopenedError && error.keyId !== undefined ? { keyId: error.keyId } : undefined;
}

function failureOf(error: unknown): { reason: OpenFailure; detail: string } {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof UnopenedError) return { reason: error.reason, detail };
  if (error instanceof KeyTrustError) return { reason: 'untrusted-key', detail };
  if (error instanceof OpenError) {
    return { reason: error.reason === 'other-keys' ? 'wrong-receiver' : error.reason, detail };
  }
  return { reason: 'unavailable', detail };
}
