// A user with Letter Sealing. The code uses only @sealpost/crypto and the typed calls, like a client of any author.
import { contentTypes, type Message, type OutgoingMessage } from '@sealpost/contract';
import {
  createKeyPair,
  fromBase64,
  type KeyPair,
  type MessageKeys,
  openMessage,
  readSealedHeader,
  type SealingVersion,
  sealMessage,
  sharedSecret,
  toBase64,
  unwrapGroupKey,
  wrapGroupKey,
} from '@sealpost/crypto';
import type { TestUser } from './harness.ts';

type Account = Pick<TestUser, 'client' | 'mid'>;

export interface SealingUser<U extends Account = TestUser> {
  readonly user: U;
  readonly mid: string;
  /** The id of the current key. */
  readonly keyId: number;
  /** Registers a new key, which becomes the current one, and returns its id. */
  renew(): Promise<number>;
  /** Returns a text message to a user, sealed with the public key that the server returns for this user. */
  sealFor(mid: string, text: string, version?: SealingVersion): Promise<OutgoingMessage>;
  /** Returns a text message to a group or room, sealed with the newest key of that chat. */
  sealInto(chatMid: string, text: string): Promise<OutgoingMessage>;
  /** Makes a group key for all members of a chat, and returns its id. */
  makeGroupKey(chatMid: string): Promise<number>;
  send(message: OutgoingMessage, reqSeq?: number): Promise<Message>;
  /** Returns the text of a sealed message that this user sent or received. */
  open(message: Message): Promise<string>;
}

export async function sealingUser<U extends Account>(user: U): Promise<SealingUser<U>> {
  const talk = user.client.TalkService;
  const own = new Map<number, KeyPair>();
  let keyId = 0;

  async function renew(): Promise<number> {
    const pair = createKeyPair();
    const keyData = toBase64(pair.publicKey);
    ({ keyId } = await talk.registerE2EEPublicKey(user.client.nextReqSeq(), { version: 1, keyId: 0, keyData }));
    own.set(keyId, pair);
    return keyId;
  }
  const privateKey = (id = keyId) => own.get(id)?.privateKey as KeyPair['privateKey'];
  const publicKey = async (mid: string, id: number) => fromBase64((await talk.getE2EEPublicKey(mid, 1, id)).keyData);

  async function groupKey(chatMid: string, id?: number) {
    const share = await (id === undefined
      ? talk.getLastE2EEGroupSharedKey(1, chatMid)
      : talk.getE2EEGroupSharedKey(1, chatMid, id));
    const creator = await publicKey(share.creator, share.creatorKeyId);
    const pair = await unwrapGroupKey(share.encryptedSharedKey, privateKey(share.receiverKeyId), creator);
    return { id: share.groupKeyId, pair };
  }

  async function seal(to: string, text: string, receiverKeyId: number, receiver: Uint8Array, version: SealingVersion) {
    const keys = { sharedSecret: sharedSecret(privateKey(), receiver), senderKeyId: keyId, receiverKeyId };
    const envelope = { to, from: user.mid, contentType: contentTypes.NONE } as const;
    const chunks = await sealMessage(keys, envelope, { text }, { version });
    return { to, contentType: contentTypes.NONE, contentMetadata: { e2eeVersion: String(version) }, chunks };
  }

  /**
   * Returns the shared secret that opens a message. In a group, the group key is used instead of the receiver's key.
   */
  async function secretOf(message: Message, senderKeyId: number, receiverKeyId: number) {
    if (!message.to.startsWith('u')) {
      const { pair } = await groupKey(message.to, receiverKeyId);
      return sharedSecret(pair.privateKey, await publicKey(message.from, senderKeyId));
    }
    if (message.from === user.mid) {
      return sharedSecret(privateKey(senderKeyId), await publicKey(message.to, receiverKeyId));
    }
    return sharedSecret(privateKey(receiverKeyId), await publicKey(message.from, senderKeyId));
  }

  await renew();
  return {
    user,
    mid: user.mid,
    get keyId() {
      return keyId;
    },
    renew,
    async sealFor(mid, text, version = 2) {
      const { publicKey: receiver } = await talk.negotiateE2EEPublicKey(mid);
      if (!receiver) throw new Error(`${mid} cannot be sealed for`);
      return seal(mid, text, receiver.keyId, fromBase64(receiver.keyData), version);
    },
    async sealInto(chatMid, text) {
      const { id, pair } = await groupKey(chatMid);
      return seal(chatMid, text, id, pair.publicKey, 2);
    },
    makeGroupKey: (chatMid) => makeGroupKey(user, chatMid, privateKey()),
    send: (message, reqSeq = user.client.nextReqSeq()) => talk.sendMessage(reqSeq, message),
    async open(message) {
      const { senderKeyId, receiverKeyId } = readSealedHeader(message.chunks ?? []);
      const secret = await secretOf(message, senderKeyId, receiverKeyId);
      return textOf(message, { sharedSecret: secret, senderKeyId, receiverKeyId });
    },
  };
}

async function makeGroupKey({ client }: Account, chatMid: string, privateKey: KeyPair['privateKey']): Promise<number> {
  const talk = client.TalkService;
  const members = Object.entries(await talk.getLastE2EEPublicKeys(chatMid));
  const group = createKeyPair();
  const wraps = members.map(([, key]) => wrapGroupKey(group.privateKey, privateKey, fromBase64(key.keyData)));
  const keyIds = members.map(([, key]) => key.keyId);
  const mids = members.map(([mid]) => mid);
  return (await talk.registerE2EEGroupKey(1, chatMid, mids, keyIds, await Promise.all(wraps))).groupKeyId;
}

async function textOf(message: Message, keys: MessageKeys): Promise<string> {
  const { to, from, chunks = [], contentMetadata } = message;
  const { e2eeVersion } = contentMetadata;
  const { text } = await openMessage(keys, { to, from, contentType: contentTypes.NONE, chunks, e2eeVersion });
  return text;
}
