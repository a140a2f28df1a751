import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  createKeyPair,
  fromBase64,
  isSealableType,
  type MessageKeys,
  OpenError,
  type OpenErrorReason,
  openMessage,
  readSealedHeader,
  type SealableType,
  type SealedMessage,
  type SealedPayloads,
  sealMessage,
  sharedSecret,
  toBase64,
  unwrapGroupKey,
  wrapGroupKey,
} from '@sealpost/crypto';
import { fc } from '@sealpost/dev-env/chance';
import { runProgram, withPython } from './independent-program.ts';

interface Case {
  name: string;
  version: 1 | 2;
  sharedSecret: string;
  to: string;
  from: string;
  contentType: SealableType;
  senderKeyId: number;
  receiverKeyId: number;
  chunks: string[];
}

interface Vectors {
  messages: (Case &
    Record<
      'senderPrivateKey' | 'senderPublicKey' | 'receiverPrivateKey' | 'receiverPublicKey' | 'salt' | 'plaintext',
      string
    > & { nonce?: string; payload: SealedPayloads[SealableType] })[];
  refused: (Case & { reason: OpenErrorReason })[];
  groupKeys: Record<'groupPrivateKey' | 'groupPublicKey' | 'creatorPrivateKey' | 'creatorPublicKey', string> & {
    wraps: Record<'member' | 'memberPrivateKey' | 'memberPublicKey' | 'encryptedSharedKey', string>[];
  };
}

const root = new URL('../../../', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('docs/letter-sealing-vectors.json', root), 'utf8')) as Vectors;

const keysOf = (v: Case): MessageKeys => ({ ...v, sharedSecret: fromBase64(v.sharedSecret) });
const messageOf = (v: Case): SealedMessage<SealableType> => ({ ...v, e2eeVersion: String(v.version) });
const failsWith = (reason: OpenErrorReason) => (error: unknown) =>
  error instanceof OpenError && error.reason === reason;

for (const v of vectors.messages) {
  test(`sealing reproduces the vector byte for byte, and it opens: ${v.name}`, async () => {
    const random = (length: number) => fromBase64(length === 12 ? (v.nonce ?? '') : v.salt);
    assert.deepEqual(await sealMessage(keysOf(v), v, v.payload, { version: v.version, random }), v.chunks);
    assert.deepEqual(await openMessage(keysOf(v), messageOf(v)), v.payload);
    assert.deepEqual(await openMessage(keysOf(v), { ...messageOf(v), e2eeVersion: undefined }), v.payload);
    const { version, senderKeyId, receiverKeyId } = v;
    assert.deepEqual(readSealedHeader(v.chunks), { version, senderKeyId, receiverKeyId });
  });
}

for (const v of vectors.refused) {
  test(`refused as ${v.reason}: ${v.name}`, async () => {
    await assert.rejects(openMessage(keysOf(v), messageOf(v)), failsWith(v.reason));
  });
}

test('both parties agree on the secret of the vectors', () => {
  for (const v of vectors.messages) {
    const one = sharedSecret(fromBase64(v.senderPrivateKey), fromBase64(v.receiverPublicKey));
    const other = sharedSecret(fromBase64(v.receiverPrivateKey), fromBase64(v.senderPublicKey));
    assert.equal(toBase64(one), v.sharedSecret);
    assert.deepEqual(one, other);
  }
});

const mid = fc
  .tuple(fc.constantFrom('u', 'c', 'r'), fc.stringMatching(/^[0-9a-f]{32}$/))
  .map((parts) => parts.join(''));
const keyId = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const text = fc.string({ unit: 'binary', maxLength: 300 });
const version = fc.constantFrom<1 | 2>(1, 2);
const anyKeys = fc.record({ sharedSecret: secret, senderKeyId: keyId, receiverKeyId: keyId });
const anyEnvelope = fc.record({ to: mid, from: mid, contentType: fc.constant<0>(0) });

test('any text comes out as it went in, in both versions', async () => {
  await fc.assert(
    fc.asyncProperty(anyKeys, anyEnvelope, text, version, async (keys, envelope, content, v) => {
      const chunks = await sealMessage(keys, envelope, { text: content }, { version: v });
      assert.deepEqual(await openMessage(keys, { ...envelope, chunks, e2eeVersion: String(v) }), { text: content });
    }),
  );
});

const flip = (bytes: Uint8Array, bit: number): Uint8Array => {
  const changed = bytes.slice();
  const at = Math.floor(bit / 8) % changed.length;
  changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8));
  return changed;
};
const bit = fc.nat({ max: 0xffff });

test('no changed bit of any chunk passes, in either version', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyKeys,
      anyEnvelope,
      text,
      version,
      fc.nat({ max: 4 }),
      bit,
      async (keys, envelope, t, v, i, n) => {
        const chunks = await sealMessage(keys, envelope, { text: t }, { version: v });
        const changed = chunks.with(i, toBase64(flip(fromBase64(chunks[i] ?? ''), n)));
        const reason = i < 3 ? 'tampered' : 'other-keys';
        await assert.rejects(openMessage(keys, { ...envelope, chunks: changed }), failsWith(reason));
      },
    ),
    { numRuns: 300 },
  );
});

test('a chunk in a second spelling is malformed, for else one message could pass as two', async () => {
  const v = vectors.messages[0] as Case;
  const { chunks } = messageOf(v);
  const spelled = (chunk: string): string[] => {
    const withOtherRest = chunk.replace(/.(?==*$)/, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
    return [`${chunk} `, chunk.replace(/=+$/, ''), chunk.replaceAll('+', '-').replaceAll('/', '_'), withOtherRest];
  };
  for (const [i, chunk] of chunks.entries()) {
    for (const other of spelled(chunk)) {
      if (other === chunk) continue;
      // Some spellings decode to other bytes. Such a chunk is refused for its wrong content, and not for its spelling.
      const isSame = Buffer.from(other, 'base64').equals(Buffer.from(chunk, 'base64'));
      const opened = openMessage(keysOf(v), { ...messageOf(v), chunks: chunks.with(i, other) });
      await assert.rejects(opened, isSame ? failsWith('malformed') : OpenError);
    }
  }
});

test('version 2 opens under no other mid, content type, key id or secret', async () => {
  await fc.assert(
    fc.asyncProperty(anyKeys, anyEnvelope, text, bit, async (keys, envelope, t, n) => {
      const chunks = await sealMessage(keys, envelope, { text: t });
      const message = { ...envelope, chunks };
      const other = (name: string) => name.slice(0, -1) + (name.endsWith('0') ? '1' : '0');
      const swapped = [...chunks.slice(0, 3), chunks[4] ?? '', chunks[3] ?? ''];
      const attempts: [MessageKeys, SealedMessage<SealableType>][] = [
        [keys, { ...message, to: other(message.to) }],
        [keys, { ...message, from: other(message.from) }],
        [keys, { ...message, contentType: ([1, 2, 3, 14, 15] as const)[n % 5] ?? 1 }],
        [{ ...keys, sharedSecret: flip(keys.sharedSecret, n) }, message],
      ];
      if (keys.senderKeyId !== keys.receiverKeyId)
        attempts.push([
          { ...keys, senderKeyId: keys.receiverKeyId, receiverKeyId: keys.senderKeyId },
          { ...message, chunks: swapped },
        ]);
      for (const [otherKeys, otherMessage] of attempts)
        await assert.rejects(openMessage(otherKeys, otherMessage), failsWith('tampered'));
    }),
  );
});

test('mids and content types that nobody can have are malformed, not an accident of the cipher', async () => {
  const v = vectors.messages[0] as Case;
  // One character moves from one mid to the other. The two mids joined together remain the same bytes.
  const moved = { to: v.to + v.from[0], from: v.from.slice(1) };
  for (const change of [moved, { to: '' }, { from: 'ü'.repeat(33) }, { contentType: 7 as SealableType }])
    await assert.rejects(openMessage(keysOf(v), { ...messageOf(v), ...change }), failsWith('malformed'));
});

test('chunks of any kind open or fail with a reason', async () => {
  const base64 = fc.uint8Array({ maxLength: 60 }).map(toBase64);
  const chunk = fc.oneof(base64, fc.string(), fc.constantFrom('AAAAAAAAAAA=', 'AAAAAAAAAAAAAAAAAAAAAA==', 'AAAAAQ=='));
  const keys = { sharedSecret: new Uint8Array(32), senderKeyId: 1, receiverKeyId: 1 };
  const v = vectors.messages[0] as Case;
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 7 }), async (chunks) => {
      await assert.rejects(openMessage(keys, { ...messageOf(v), chunks }), OpenError);
    }),
    { numRuns: 1000 },
  );
});

test('what no client could open is not sealed', async () => {
  const v = vectors.messages[0] as Case;
  const attempts = [
    () => sealMessage({ ...keysOf(v), sharedSecret: new Uint8Array(31) }, v, { text: '' }),
    () => sealMessage({ ...keysOf(v), senderKeyId: -1 }, v, { text: '' }),
    () => sealMessage({ ...keysOf(v), receiverKeyId: 1.5 }, v, { text: '' }),
    () => sealMessage(keysOf(v), { ...v, to: 'bob' }, { text: '' }),
    () => sealMessage(keysOf(v), { ...v, contentType: 1 }, { keyMaterial: 'short' }),
    () => sealMessage(keysOf(v), { ...v, contentType: 15 }, { location: { latitude: Number.NaN, longitude: 0 } }),
  ];
  for (const attempt of attempts) await assert.rejects(attempt, RangeError);
  assert.deepEqual(Array.from({ length: 120 }, (_, type) => type - 1).filter(isSealableType), [0, 1, 2, 3, 14, 15]);
});

const group = vectors.groupKeys;

for (const w of group.wraps) {
  test(`a group key is wrapped as in the vector, and unwrapped by its member: ${w.member}`, async () => {
    const [groupKey, creator] = [fromBase64(group.groupPrivateKey), fromBase64(group.creatorPrivateKey)];
    assert.equal(await wrapGroupKey(groupKey, creator, fromBase64(w.memberPublicKey)), w.encryptedSharedKey);
    const creatorPublicKey = fromBase64(group.creatorPublicKey);
    const unwrapped = await unwrapGroupKey(w.encryptedSharedKey, fromBase64(w.memberPrivateKey), creatorPublicKey);
    assert.equal(toBase64(unwrapped.privateKey), group.groupPrivateKey);
    assert.equal(toBase64(unwrapped.publicKey), group.groupPublicKey);
  });
}

test('members who share a group key read each other', async () => {
  const [creator, bob, carol] = [createKeyPair(), createKeyPair(), createKeyPair()];
  const groupKey = createKeyPair();
  const ids = { senderKeyId: 11, receiverKeyId: 1 };
  const envelope = { to: `c${'0'.repeat(32)}`, from: `u${'1'.repeat(32)}`, contentType: 0 } as const;
  const wrapFor = (member: { publicKey: Uint8Array }) =>
    wrapGroupKey(groupKey.privateKey, creator.privateKey, member.publicKey);
  const ofBob = await unwrapGroupKey(await wrapFor(bob), bob.privateKey, creator.publicKey);
  const ofCarol = await unwrapGroupKey(await wrapFor(carol), carol.privateKey, creator.publicKey);
  const sending = { ...ids, sharedSecret: sharedSecret(bob.privateKey, ofBob.publicKey) };
  const receiving = { ...ids, sharedSecret: sharedSecret(ofCarol.privateKey, bob.publicKey) };
  const chunks = await sealMessage(sending, envelope, { text: 'hello, all' });
  assert.deepEqual(await openMessage(receiving, { ...envelope, chunks }), { text: 'hello, all' });
});

test('a wrap for somebody else, or of another length, does not unwrap', async () => {
  const [w] = group.wraps.slice(1);
  const creatorPublicKey = fromBase64(group.creatorPublicKey);
  const stranger = new Uint8Array(32).fill(7);
  const unwrap = (text: string, key = stranger) => unwrapGroupKey(text, key, creatorPublicKey);
  await assert.rejects(unwrap(w?.encryptedSharedKey ?? ''), failsWith('tampered'));
  for (const bad of ['', 'no base64!', toBase64(new Uint8Array(47)), toBase64(new Uint8Array(64))])
    await assert.rejects(unwrap(bad), failsWith('malformed'));
});

test('the published vectors are what the independent program makes', withPython, () => {
  runProgram('letter-sealing-vectors.py', '--check');
});

test('the independent program opens what is sealed here with randomness of its own', withPython, async () => {
  const cases = await Promise.all(
    vectors.messages.map(async (v) => ({
      ...v,
      chunks: await sealMessage(keysOf(v), v, v.payload, { version: v.version }),
    })),
  );
  assert.deepEqual(
    JSON.parse(runProgram('letter-sealing-vectors.py', '--open', JSON.stringify(cases))),
    vectors.messages.map((v) => v.plaintext),
  );
});
