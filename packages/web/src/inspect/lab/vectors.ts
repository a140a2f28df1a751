// Makes test vectors from a seed, for the user's own implementation. They have the form of
// docs/letter-sealing-vectors.json, so that the same program can read both.
import {
  type Bytes,
  keyPairOf,
  type SealableType,
  type SealedPayloads,
  type SealingVersion,
  sealMessage,
  sharedSecret,
  toBase64,
  wrapGroupKey,
} from '@sealpost/crypto';
import { ascii, hex } from './byte-text.ts';
import { sha256 } from './versions.ts';

/** A function that derives bytes from the seed and a name: the first bytes of the SHA-256 of `<seed>: <name>`. */
type Draw = (name: string, length?: number) => Promise<Bytes>;

type Payloads = { readonly [T in SealableType]: readonly (readonly [name: string, payload: SealedPayloads[T]])[] };
type Chat = 'one-to-one' | 'group' | 'room' | 'self';

interface Parties {
  readonly chat: Chat;
  readonly sender: Bytes;
  readonly receiver: Bytes;
  readonly to: string;
  readonly from: string;
  readonly senderKeyId: number;
  readonly receiverKeyId: number;
}

const versions = [2, 1] as const;
const types = [0, 1, 2, 3, 14, 15] as const;
const chats = ['one-to-one', 'group', 'room', 'self'] as const;
const kindOf: Readonly<Record<Chat, string>> = { 'one-to-one': 'u', group: 'c', room: 'r', self: 'u' };

/** Returns the vectors of a seed as the text of a JSON file. The same seed gives the same text. */
export async function vectorsOf(seed: string): Promise<string> {
  const draw: Draw = async (name, length = 32) => (await sha256(ascii(`${seed}: ${name}`))).slice(0, length);
  const messages = await messagesOf(draw);
  return `${JSON.stringify({ seed, messages, refused: refusedOf(messages), groupKeys: await groupKeysOf(draw) }, null, 2)}\n`;
}

async function payloadsOf(draw: Draw): Promise<Payloads> {
  const keyMaterial = toBase64(await draw('key material'));
  return {
    0: [
      ['a text', { text: `A text for ${hex(await draw('text', 4))}` }],
      ['characters of all kinds', { text: 'Zoë 漢字 👩‍👩‍👧 "quoted" \\ / \n\t \u2028' }],
      ['an empty text', { text: '' }],
    ],
    1: [['an image', { keyMaterial }]],
    2: [['a video with its name', { keyMaterial, fileName: 'walk.mp4' }]],
    3: [['a voice message', { keyMaterial }]],
    14: [['a file', { keyMaterial, fileName: 'Bericht für März.pdf' }]],
    15: [['a location', { location: { title: 'Harbour', address: '1 Quay', latitude: 53.5438, longitude: 9.9663 } }]],
  };
}

async function partiesOf(draw: Draw, chat: Chat): Promise<Parties> {
  const mid = async (kind: string, name: string) => `${kind}${hex(await draw(`mid of ${name}`, 16))}`;
  const sender = await draw("alice's key");
  const id = async (name: string) => new DataView((await draw(name, 4)).buffer).getUint32(0) >>> 1;
  const from = await mid('u', 'alice');
  return {
    ...{ chat, sender, from },
    receiver: chat === 'self' ? sender : await draw(`the key of the ${chat}`),
    to: chat === 'self' ? from : await mid(kindOf[chat], `the ${chat}`),
    senderKeyId: await id("the id of alice's key"),
    receiverKeyId: await id(chat === 'self' ? "the id of alice's key" : `the id of the key of the ${chat}`),
  };
}

type Vector = Awaited<ReturnType<typeof vectorOf>>;

async function messagesOf(draw: Draw): Promise<Vector[]> {
  const payloads = await payloadsOf(draw);
  const made: Vector[] = [];
  for (const version of versions) {
    for (const chat of chats) {
      const parties = await partiesOf(draw, chat);
      for (const contentType of types) {
        for (const [name, payload] of payloads[contentType])
          made.push(await vectorOf(draw, { parties, version, name, contentType, payload }));
      }
    }
  }
  return made;
}

interface Wanted {
  readonly parties: Parties;
  readonly version: SealingVersion;
  readonly name: string;
  readonly contentType: SealableType;
  readonly payload: SealedPayloads[SealableType];
}

async function vectorOf(draw: Draw, { parties, version, name: what, contentType, payload }: Wanted) {
  const { chat, sender, receiver, to, from, senderKeyId, receiverKeyId } = parties;
  const name = `version ${version}, ${chat}: ${what}`;
  const salt = await draw(`salt of ${name}`, version === 2 ? 16 : 8);
  const nonce = await draw(`nonce of ${name}`, 12);
  const secret = sharedSecret(sender, keyPairOf(receiver).publicKey);
  const keys = { sharedSecret: secret, senderKeyId, receiverKeyId };
  const random = (length: number): Bytes => (length === nonce.length ? nonce : salt).slice();
  const chunks = await sealMessage(keys, { to, from, contentType }, payload, { version, random });
  return {
    ...{ name, version, chat, to, from, contentType, senderKeyId, receiverKeyId },
    senderPrivateKey: toBase64(sender),
    senderPublicKey: toBase64(keyPairOf(sender).publicKey),
    receiverPrivateKey: toBase64(receiver),
    receiverPublicKey: toBase64(keyPairOf(receiver).publicKey),
    sharedSecret: toBase64(secret),
    salt: toBase64(salt),
    ...(version === 2 && { nonce: toBase64(nonce) }),
    payload,
    plaintext: toBase64(ascii(JSON.stringify(payload))),
    chunks,
  };
}

/** Returns messages that an implementation must refuse, each with the reason. */
function refusedOf(messages: readonly Vector[]) {
  const bases = versions.flatMap((version) => messages.find((one) => one.version === version) ?? []);
  return bases.flatMap((base) => {
    const { chunks, version, to, from } = base;
    const refused = (name: string, reason: string, changes: object) => ({
      ...base,
      ...changes,
      name: `version ${version}: ${name}`,
      reason,
    });
    const withChunk = (index: number, chunk: string) => ({ chunks: chunks.with(index, chunk) });
    return [
      ...['salt', 'ciphertext', version === 2 ? 'nonce' : 'MAC'].map((part, index) =>
        refused(`one bit of the ${part} is another`, 'tampered', withChunk(index, flipped(chunks[index] ?? ''))),
      ),
      refused('four chunks', 'malformed', { chunks: chunks.slice(0, 4) }),
      refused('no ciphertext', 'malformed', withChunk(1, '')),
      refused('marked as the other version', 'version', { version: 3 - version }),
      ...(version === 2 ? [refused('sender and receiver changed places', 'tampered', { to: from, from: to })] : []),
    ];
  });
}

function flipped(chunk: string): string {
  const first = atob(chunk).charCodeAt(0) ^ 1;
  return btoa(String.fromCharCode(first) + atob(chunk).slice(1));
}

async function groupKeysOf(draw: Draw) {
  const [group, creator] = [keyPairOf(await draw("the group's key")), keyPairOf(await draw("alice's key"))];
  const members = [
    ['the creator itself', creator],
    ['bob', keyPairOf(await draw("bob's key"))],
    ['carol', keyPairOf(await draw("carol's key"))],
  ] as const;
  return {
    groupPrivateKey: toBase64(group.privateKey),
    groupPublicKey: toBase64(group.publicKey),
    creatorPrivateKey: toBase64(creator.privateKey),
    creatorPublicKey: toBase64(creator.publicKey),
    wraps: await Promise.all(
      members.map(async ([member, { privateKey, publicKey }]) => ({
        member,
        memberPrivateKey: toBase64(privateKey),
        memberPublicKey: toBase64(publicKey),
        encryptedSharedKey: await wrapGroupKey(group.privateKey, creator.privateKey, publicKey),
      })),
    ),
  };
}
