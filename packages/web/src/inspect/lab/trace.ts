// Opens a sealed message one step at a time, to show which step fails. docs/letter-sealing.md has the formulas. In the
// end, `openMessage` of the crypto package decides whether the message opens.
import {
  type Bytes,
  fromBase64,
  isSealableType,
  keyPairOf,
  openMessage,
  readSealedHeader,
  type SealedHeader,
  sharedSecret,
  toBase64,
} from '@sealpost/crypto';
import { messageOf } from '../feed/dev-api.ts';
import { hex, same } from './byte-text.ts';
import { likelyCause } from './causes.ts';
import type { KnownKey, LabKeys } from './lab-keys.ts';
import { isGroup, type LabMessage } from './sealed-message.ts';
import { type MakeStep, type Step, StepFailed } from './steps.ts';
import { partsOf, type SealedParts, stepsOf1, stepsOf2 } from './versions.ts';

export interface Trace {
  readonly steps: readonly Step[];
  /** The content, if the message opens. */
  readonly payload?: unknown;
  /** The reason why the message does not open, as far as it is known. */
  readonly cause?: string;
}

/** Opens a message with the given keys. */
export async function trace(message: LabMessage, keys: LabKeys): Promise<Trace> {
  const steps: Step[] = [];
  const step: MakeStep = async (name, formula, make) => {
    try {
      const { values, result } = await make();
      steps.push({ name, formula, values, state: 'done' });
      return result;
    } catch (error) {
      const values = error instanceof StepFailed ? error.values : [];
      steps.push({ name, formula, values, state: 'failed', problem: messageOf(error) });
      throw error;
    }
  };
  let opening: { readonly parts: SealedParts; readonly secret: Bytes } | undefined;
  try {
    const parts = await readParts(message, step);
    const secret = await agree(parts, keys, step);
    opening = { parts, secret };
    await (parts.version === 2 ? stepsOf2(message, parts, secret, step) : stepsOf1(parts, secret, step));
    const payload = await readPayload(message, parts, secret, step);
    return { steps, payload };
  } catch (error) {
    const cause = opening && (await likelyCause(message, opening.parts, opening.secret, keys));
    return { steps, cause: cause ?? messageOf(error) };
  }
}

async function readParts(message: LabMessage, step: MakeStep): Promise<SealedParts> {
  const parts = await step('Chunks', 'five texts in canonical base64; their lengths tell the version', async () => {
    const header = headerOf(message.chunks);
    const result = { ...header, ...partsOf(message.chunks) };
    const values = [
      ['salt', hex(result.salt)],
      [
        'ciphertext',
        `${result.cipher.length} bytes: ${hex(result.cipher.slice(0, 24))}${result.cipher.length > 24 ? '…' : ''}`,
      ],
      [header.version === 2 ? 'nonce' : 'MAC', hex(result.third)],
    ] as const;
    return { values, result };
  });
  return step('Header', 'version and ids of keys; anybody can read and forge them', async () => {
    const { version, senderKeyId, receiverKeyId } = parts;
    const values = [
      ['version', String(version)],
      ['e2eeVersion', message.mark ?? 'not given'],
      ['sender key id', String(senderKeyId)],
      [isGroup(message) ? 'group key id' : 'receiver key id', String(receiverKeyId)],
    ] as const;
    if (message.mark !== undefined && message.mark !== String(version))
      throw new StepFailed(`it is marked as version ${message.mark}, and has the chunks of version ${version}`, values);
    return { values, result: parts };
  });
}

function headerOf(chunks: readonly string[]): SealedHeader {
  const lengths = chunks.map((chunk) => {
    try {
      return fromBase64(chunk).length;
    } catch {
      return 'no base64';
    }
  });
  try {
    return readSealedHeader(chunks);
  } catch (error) {
    throw new StepFailed(messageOf(error), [['lengths of the chunks', lengths.join(', ')]]);
  }
}

/**
 * Finds out which of the two keys of the message belongs to the private key, and derives the shared secret with the
 * other one.
 */
const agree = (parts: SealedParts, keys: LabKeys, step: MakeStep): Promise<Bytes> =>
  step('Shared secret', 'S = X25519(own private key, other public key)', async () => {
    const own = keyPairOf(keys.privateKey);
    const mine = keys.known.find(({ publicKey }) => same(publicKey, own.publicKey));
    const values: [string, string][] = [['your public key', toBase64(own.publicKey)]];
    for (const { owner, keyId, publicKey } of keys.known)
      values.push([`key ${keyId} of ${owner}`, toBase64(publicKey)]);
    const other = keys.publicKey ?? otherKey(parts, keys.known, mine);
    if (!other) throw new StepFailed(missingKey(keys, mine), values);
    values.push(['other public key', toBase64(other)]);
    const result = sharedSecret(keys.privateKey, other);
    values.push(['S', hex(result)]);
    return { values, result };
  });

const missingKey = ({ known }: LabKeys, mine: KnownKey | undefined): string =>
  known.length > 0 && !mine
    ? `a wrong private key: its public half is neither ${known.map(({ owner, keyId }) => `key ${keyId} of ${owner}`).join(' nor ')}`
    : 'the public key of the other side is missing';

function otherKey(parts: SealedParts, known: readonly KnownKey[], mine: KnownKey | undefined): Bytes | undefined {
  const wanted = mine?.keyId === parts.senderKeyId ? parts.receiverKeyId : parts.senderKeyId;
  const others = known.filter((key) => key !== mine);
  return (
    others.find(({ keyId }) => keyId === wanted) ??
    (mine && parts.senderKeyId === parts.receiverKeyId ? mine : undefined)
  )?.publicKey;
}

const readPayload = (message: LabMessage, parts: SealedParts, secret: Bytes, step: MakeStep): Promise<unknown> =>
  step('Payload', 'JSON in UTF-8, of the form of the content type', async () => {
    const { contentType } = message;
    if (!isSealableType(contentType)) throw new StepFailed(`content type ${contentType} is never sealed`);
    const { senderKeyId, receiverKeyId } = parts;
    const result = await openMessage(
      { sharedSecret: secret, senderKeyId, receiverKeyId },
      { ...message, contentType, e2eeVersion: message.mark },
    );
    return { values: [['content type', String(contentType)]], result };
  });
