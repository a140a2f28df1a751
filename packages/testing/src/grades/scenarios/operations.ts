// Tests how a client reads operations: unknown and repeated operations, gaps, and operations of its own.
import { operationTypes } from '@sealpost/contract';
import type { Fields } from '../calls.ts';
import type { Friend } from '../friend.ts';
import { sessionOf } from '../friend.ts';
import { basis, type ScenarioEntry, scenariosOf } from '../scenario.ts';
import { CLIENT, type Stage } from '../stage.ts';
import { lastRevision, madeUp, operationEvent, received, scriptStream } from '../stream-script.ts';
import { demand, demandSame } from '../verdict.ts';

const events = (fact: string) => basis('Events', fact);
const page = (fact: string) => basis('docs/reference/operations.md', fact);

/** Streams these operations and then a text. The client must skip the operations and answer the text. */
const skipped =
  (
    why: string,
    operations: (revision: number, stage: Stage, ann: Friend) => readonly unknown[],
  ): ScenarioEntry['play'] =>
  async (stage) => {
    const ann = await stage.talking();
    const revision = await lastRevision(stage);
    const odd = operations(revision + 1, stage, ann);
    const text = operationEvent(received(String(revision + 1 + odd.length), madeUp(stage, ann, 'and then')));
    await scriptStream(stage, ...odd.map((operation) => operationEvent(operation as Fields)), text);
    await stage.hears(ann, 'and then', why);
  };

export const operations = scenariosOf('operations', {
  'unknown-type': {
    title: 'Operations of a type that the client does not know are skipped, and those behind them are handled',
    basis: page('Unlisted numbers are unassigned: types may be added'),
    consequence: 'The client stops at the first new kind of operation, and gets no message any more.',
    play: skipped('behind operations of unknown types', (revision) => [
      { revision: String(revision), createdTime: '1', type: 999, reqSeq: 0, status: 0, param1: 'x' },
      { revision: String(revision + 1), createdTime: '1', type: 57, reqSeq: -1, status: 0, message: null },
    ]),
  },
  'unknown-fields': {
    title: 'Fields of an operation or a message that the client does not know are skipped',
    basis: basis('Resources and their fields', 'Message: the fields and keys that are shown; more may exist'),
    consequence: 'The client breaks with the next version of the server.',
    async play(stage) {
      const ann = await stage.talking();
      const next = (await lastRevision(stage)) + 1;
      const message = madeUp(stage, ann, 'new fields', {
        brandNew: { deep: [1, null] },
        contentMetadata: { NEW: '{}' },
      });
      await scriptStream(stage, operationEvent(received(String(next), message, { brandNew: true, checksum: 'x' })));
      await stage.hears(ann, 'new fields', 'with fields that are new');
    },
  },
  'revision-as-number': {
    title: 'A revision may come as a number instead of a string',
    basis: basis('Wire conventions', '64-bit integers are often carried as decimal strings: both forms occur'),
    consequence: 'Messages from some servers are never seen.',
    async play(stage) {
      const ann = await stage.talking();
      const next = (await lastRevision(stage)) + 1;
      await scriptStream(stage, operationEvent(received(next, madeUp(stage, ann, 'numeric'))));
      await stage.hears(ann, 'numeric', 'in an operation whose revision is a JSON number');
    },
  },
  repeated: {
    title: 'An operation that comes twice is handled once',
    basis: events('Operations sync by revision: those up to the cursor were handled'),
    consequence: 'After a lost connection, messages are shown or answered twice.',
    async play(stage) {
      const ann = await stage.talking();
      const next = (await lastRevision(stage)) + 1;
      const event = operationEvent(received(String(next), madeUp(stage, ann, 'twice')));
      const last = operationEvent(received(String(next + 1), madeUp(stage, ann, 'last')));
      await scriptStream(stage, event, event, last, event);
      await stage.hears(ann, 'last', 'behind a repeated operation');
      await stage.pass(1_000);
      demandSame(
        'answers to the repeated operation',
        (await ann.heard()).filter((text) => text === 'echo: twice').length,
        1,
      );
    },
  },
  'replayed-old': {
    title: 'Operations with a revision up to the cursor are skipped',
    basis: events('localRev: operation cursor'),
    consequence: 'Old messages are answered again after each reconnection.',
    async play(stage) {
      const ann = await stage.talking();
      for (const text of ['one', 'two', 'three']) await stage.echoes(ann, text);
      const log = await stage.server.operations(CLIENT);
      await scriptStream(stage, ...log.map((operation) => operationEvent({ ...operation })));
      await ann.say('new');
      await stage.hears(ann, 'new', 'after a stream that repeated the whole log');
      await stage.pass(1_000);
      const heard = await ann.heard();
      for (const text of ['one', 'two', 'three']) {
        demandSame(`answers to "${text}"`, heard.filter((one) => one === `echo: ${text}`).length, 1);
      }
    },
  },
  'own-message': {
    title: 'A message that another device of the account sent is not answered',
    basis: page('SEND_MESSAGE (25) tells the account what it sent itself; RECEIVE_MESSAGE (26) what others sent'),
    consequence: 'A bot talks to itself without end as soon as its owner writes with another device.',
    async play(stage) {
      const ann = await stage.talking();
      const device = await sessionOf(stage.server, CLIENT);
      try {
        await device.sendText(ann.mid, 'from my other device');
        await stage.pass(1_500);
        await stage.echoes(ann, 'and you?');
        const heard = await ann.heard();
        demand(!heard.includes('echo: from my other device'), 'no answer to an own message', heard);
      } finally {
        device.close();
      }
    },
  },
  'own-chat': {
    title: 'A message to the own account does not lead to answer after answer',
    basis: basis('What the service does', "A message sent to the account's own mid lands in the chat with itself"),
    consequence: 'A note to oneself starts an endless conversation.',
    async play(stage) {
      const ann = await stage.talking();
      const next = (await lastRevision(stage)) + 1;
      const { mid } = stage.account;
      const note = { ...received(String(next), madeUp(stage, ann, 'note to self', { from: mid, to: mid })) };
      const text = received(String(next + 1), madeUp(stage, ann, 'after the note'));
      await scriptStream(stage, operationEvent({ ...note, type: operationTypes.SEND_MESSAGE }), operationEvent(text));
      await stage.reached('answer text messages', async () =>
        (await ann.heard()).includes('echo: after the note') ? true : undefined,
      );
      await stage.pass(1_000);
      const own = stage.sends().filter(({ message }) => message.to === mid);
      demandSame('messages into the own chat', own.length, 0);
    },
  },
  'other-content': {
    title: 'Messages of other kinds than text do not disturb',
    basis: basis('Resources and their fields', 'ContentType: STICKER=7, CONTACT=13, LOCATION=15 and more'),
    consequence: 'A sticker or a place ends the client, or stops its stream.',
    async play(stage) {
      const ann = await stage.talking();
      const to = stage.account.mid;
      await ann.rpc.send({ to, contentType: 13, contentMetadata: { mid: ann.mid, displayName: 'Ann' } });
      await ann.rpc.send({ to, contentType: 15, location: { title: 'Here', address: '', latitude: 1, longitude: 2 } });
      await ann.say('a text again');
      await stage.hears(ann, 'a text again', 'behind messages of other kinds');
    },
  },
  unsent: {
    title: 'An unsent message does not disturb',
    basis: page('NOTIFIED_DESTROY_MESSAGE (65): somebody unsent a message'),
    consequence: 'The client stops when somebody takes back a message.',
    async play(stage) {
      const ann = await stage.talking();
      const { id } = await ann.say('gone soon');
      await ann.rpc.TalkService.unsendMessage(ann.rpc.nextReqSeq(), id);
      await ann.say('still there?');
      await stage.hears(ann, 'still there?', 'after an unsent message');
    },
  },
  'many-kinds': {
    title: 'Reactions, read marks, changed profiles and blocked people do not disturb',
    basis: events('Reactions and other changes made through mutating calls become visible through this sync'),
    consequence: 'The client stops at a harmless act of another user.',
    async play(stage) {
      const ann = await stage.talking();
      const talk = ann.rpc.TalkService;
      const seq = () => ann.rpc.nextReqSeq();
      const answer = (await ann.received())[0]?.message.id ?? '';
      await talk.react({ reqSeq: seq(), messageId: answer, reactionType: { predefinedReactionType: 2 } });
      await talk.sendChatChecked(seq(), stage.account.mid, answer);
      await talk.updateProfileAttributes(seq(), { profileAttributes: { 2: { value: 'Ann the second', meta: {} } } });
      await talk.cancelReaction({ reqSeq: seq(), messageId: answer });
      await ann.say('after all that');
      await stage.hears(ann, 'after all that', 'behind operations of many kinds');
      const types = (await stage.server.operations(CLIENT)).map(({ type }) => type);
      demand(types.includes(operationTypes.NOTIFIED_SEND_REACTION), 'a reaction in the log', types);
    },
  },
});
