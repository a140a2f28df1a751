// Tests how a client uses Letter Sealing. Every scenario begins with a client that has a key; clients without a key do
// not reach it.
import { contentTypes } from '@sealpost/contract';
import { fromBase64, sealMessage, sharedSecret } from '@sealpost/crypto';
import type { Friend } from '../friend.ts';
import { basis, type ScenarioEntry, scenariosOf } from '../scenario.ts';
import { ANSWER, chunksOf, keyCallsBetween, sealedSends, sealedTalk } from '../sealed-talk.ts';
import { demand, demandSame } from '../verdict.ts';

const records = (fact: string) => basis('End-to-end encryption records', fact);
const keys = (fact: string) => basis('End-to-end encryption keys', fact);
const page = (fact: string) => basis('docs/letter-sealing.md', fact);

/** Plays a refusal that names stale keys. The client must ask for keys, seal the message again, and repeat the send. */
const renewsAfter =
  (
    error: 'E2EE_RETRY_ENCRYPT' | 'E2EE_UPDATE_SENDER_KEY' | 'E2EE_UPDATE_RECEIVER_KEY',
    asked: RegExp,
    what: string,
  ): ScenarioEntry['play'] =>
  async (stage) => {
    const ann = await sealedTalk(stage);
    const mark = stage.mark();
    stage.fault('sendMessage', { answer: { error }, times: 1 });
    await ann.saySealed('refused once');
    const first = await stage.reached('send a sealed message', () => sealedSends(stage, mark)[0]);
    const second = await stage.expected(
      `the message again after ${error}`,
      () => sealedSends(stage, mark)[1],
      () => 'one send',
    );
    const calls = keyCallsBetween(stage, first.call, second.call);
    demand(
      calls.some((name) => asked.test(name)),
      `${what} before the second send`,
      calls.length > 0 ? calls : 'no call about keys',
    );
    demand(chunksOf(first)[1] !== chunksOf(second)[1], 'a message that was sealed anew', 'the same bytes');
    await stage.hears(ann, 'refused once', 'sealed anew');
  };

const staleConsequence =
  'After somebody gets a new device, messages to them are refused until the client starts again.';

/** Seals a text without the SDK, so that a scenario can choose the version or damage the result. */
async function sealBy(friend: Friend, to: string, text: string, version: 1 | 2) {
  const own = (await friend.rpc.keyStore.ownKeys(friend.mid)).at(-1);
  const { publicKey } = await friend.rpc.TalkService.negotiateE2EEPublicKey(to);
  if (!own || !publicKey) throw new Error('both need a key');
  const secret = sharedSecret(own.privateKey, fromBase64(publicKey.keyData));
  const parties = { to, from: friend.mid, contentType: contentTypes.NONE } as const;
  const used = { sharedSecret: secret, senderKeyId: own.keyId, receiverKeyId: publicKey.keyId };
  const chunks = await sealMessage(used, parties, { text }, { version });
  return { to, contentType: contentTypes.NONE, contentMetadata: { e2eeVersion: String(version) }, chunks };
}

export const sealing = scenariosOf('sealing', {
  'open-and-answer': {
    title: 'A sealed text is opened, and its answer is sealed',
    basis: records('Message: omitted text for end-to-end-encrypted messages; the content moves into chunks'),
    consequence: 'People read "cannot be opened" instead of a message, or what was sealed is answered in the clear.',
    async play(stage) {
      const ann = await sealedTalk(stage);
      await ann.saySealed('between us');
      await stage.hears(ann, 'between us', 'to a sealed text');
      const clear = stage.sends('echo: between us');
      demandSame('answers in the clear', clear.length, 0);
    },
  },
  form: {
    title: 'A sealed message has five chunks, its version, and no text',
    basis: records(
      'chunks: index 3 and 4 carry the sender and receiver key ids; e2eeVersion when sealed; text is omitted',
    ),
    consequence: 'Other clients cannot open the messages, or their text stands beside the sealed bytes.',
    async play(stage) {
      await sealedTalk(stage);
      for (const send of sealedSends(stage)) {
        const { message } = send;
        demandSame('chunks', chunksOf(send).length, 5);
        demand(!('text' in message), 'no text, not even null', message);
        const metadata = message.contentMetadata as Readonly<Record<string, unknown>> | undefined;
        demand(['1', '2'].includes(String(metadata?.e2eeVersion)), 'e2eeVersion "1" or "2"', metadata);
        demandSame('the bytes of a key id', fromBase64(chunksOf(send)[3] ?? '').length, 4);
      }
    },
  },
  'fresh-salt': {
    title: 'Each sealed message has a salt and a nonce of its own',
    basis: page('salt: 16 random bytes; nonce: 12 bytes, never twice under one key'),
    consequence: 'Whoever sees two messages learns parts of both.',
    async play(stage) {
      const ann = await sealedTalk(stage);
      for (const text of ['same', 'same']) {
        const before = (await ann.heard()).length;
        await ann.saySealed(text);
        await stage.reached(ANSWER, async () => ((await ann.heard()).length > before ? true : undefined));
      }
      const sends = sealedSends(stage);
      for (const [index, what] of [
        [0, 'salts'],
        [2, 'nonces'],
      ] as const) {
        const values = new Set(sends.map((send) => chunksOf(send)[index]));
        demandSame(`different ${what} of ${sends.length} messages`, values.size, sends.length);
      }
    },
  },
  'version-1': {
    title: 'A message that was sealed by version 1 is opened',
    basis: page('version 1: AES-CBC, for messages of older clients'),
    consequence: 'Messages of older clients cannot be read.',
    async play(stage) {
      const ann = await sealedTalk(stage);
      await ann.rpc.send(await sealBy(ann, stage.account.mid, 'the old way', 1));
      await stage.hears(ann, 'the old way', 'to a message of version 1');
    },
  },
  tampered: {
    title: 'A message that does not open is not answered, and the next one is',
    basis: page('AES-256-GCM: a changed message does not open'),
    consequence: 'Forged text is shown, or one broken message stops the client.',
    async play(stage) {
      const ann = await sealedTalk(stage);
      const message = await sealBy(ann, stage.account.mid, 'tampered', 2);
      const sealed = fromBase64(message.chunks[1] ?? '');
      sealed[0] = (sealed[0] ?? 0) ^ 1;
      const chunks = message.chunks.map((chunk, index) =>
        index === 1 ? Buffer.from(sealed).toString('base64') : chunk,
      );
      await ann.rpc.send({ ...message, chunks });
      await ann.saySealed('intact');
      await stage.hears(ann, 'intact', 'behind a message that does not open');
      demand(
        !(await ann.heard()).some((text) => text.includes('tampered')),
        'no answer to a forged text',
        await ann.heard(),
      );
    },
  },
  'code-82': {
    title: 'After code 82 the message is sealed anew and sent again',
    basis: page('E2EE_RETRY_ENCRYPT (82): the chat wants sealed messages, or another form: seal and send again'),
    consequence: 'The user cannot write into a chat that has become sealed.',
    play: renewsAfter('E2EE_RETRY_ENCRYPT', /PublicKey/, 'a new look at the keys'),
  },
  'code-83': {
    title: 'After code 83 the own keys are read again, and the message is sealed with the current one',
    basis: page('E2EE_UPDATE_SENDER_KEY (83): the sender key in the message is not current'),
    consequence: 'After the user gets a new device, the old one sends nothing any more.',
    play: renewsAfter('E2EE_UPDATE_SENDER_KEY', /PublicKey/, 'a new look at the own keys, as with getE2EEPublicKeysEx'),
  },
  'code-84': {
    title: 'After code 84 the key of the receiver is negotiated again',
    basis: page('E2EE_UPDATE_RECEIVER_KEY (84): the receiver key is not current: negotiate and seal again'),
    consequence: staleConsequence,
    play: renewsAfter('E2EE_UPDATE_RECEIVER_KEY', /negotiateE2EEPublicKey/, 'negotiateE2EEPublicKey'),
  },
  'new-key-of-a-friend': {
    title: 'When a friend has a new key, answers are sealed for that key',
    basis: keys('negotiateE2EEPublicKey returns the current key of a user'),
    consequence: staleConsequence,
    async play(stage) {
      const ann = await sealedTalk(stage);
      await ann.sealing.renewOwnKey();
      await ann.saySealed('with my new key');
      await stage.hears(ann, 'with my new key', 'sealed for the new key');
    },
  },
  'few-tries': {
    title: 'A message that is refused with code 84 each time is given up, and the next one is sent',
    basis: page('Refusals of sealed sends: at most 3 tries'),
    consequence: 'One message that cannot be sent keeps client and server busy for ever.',
    async play(stage) {
      const ann = await sealedTalk(stage);
      const mark = stage.mark();
      const fault = stage.fault('sendMessage', { answer: { error: 'E2EE_UPDATE_RECEIVER_KEY' } });
      await ann.saySealed('never');
      await stage.reached('send a sealed message', () => sealedSends(stage, mark)[0]);
      // Time passes in steps, because a client answers a refusal only after it has read it.
      for (let second = 0; second < 12; second++) {
        await stage.pass(1_000);
        await stage.watch(50);
      }
      const { length } = sealedSends(stage, mark);
      fault.remove();
      demand(length <= 3, 'at most 3 sends of a message that stays refused', `${length}`);
      await ann.saySealed('the next');
      await stage.hears(ann, 'the next', 'behind a message that was given up');
    },
  },
});
