// Every combination of sealing on or off, kind of chat and kind of content. Each test checks whether the message is
// sealed. It also checks that both sides can read the message, at once and after a new login. The combinations are
// generated, so that none is forgotten.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { contentTypes, type Message, operationTypes } from '@sealpost/contract';
import { startServer, type TestServer } from '@sealpost/dev-env/harness';
import type { MediaKind, OpenedMessage, PlainReason } from '@sealpost/sdk';
import { aGroup, aParty, aRoom, type Party } from './sealing-parties.ts';
import { contentOf, file } from './transfers.ts';

type OnOff = 'ON' | 'OFF';
const states = ['ON', 'OFF'] as const;
const people: Record<string, Party> = {};
const person = (name: string): Party => people[name] ?? assert.fail(`nobody is called ${name}`);

let server: TestServer;
before(async () => {
  server = await startServer();
  for (const state of states) {
    for (const name of ['sender', 'peer', 'third', 'official']) {
      const party = await aParty(server, name, { kind: name === 'official' ? 'official' : 'user' });
      if (state === 'OFF') await party.turn('off');
      // A new client asks whether sealing is on. A running client asks only once an hour, so it may not know the change
      // yet.
      people[`${name} ${state}`] = await party.again();
    }
  }
});
after(() => server.close());

/** A kind of chat: where the sender writes, and who reads it. */
interface ChatKind {
  readonly reader: (peer: OnOff) => Party;
  readonly open: (sender: Party, reader: Party) => Promise<string>;
  readonly hasOthersOff?: boolean;
  readonly isGroup?: boolean;
}
const peer = (state: OnOff) => person(`peer ${state}`);
const chatKinds: Readonly<Record<string, ChatKind>> = {
  'one-to-one': { reader: peer, open: async (_, reader) => reader.mid },
  'group whose others are all ON': {
    reader: peer,
    open: (sender, reader) => aGroup(sender, reader, person('third ON')),
    isGroup: true,
  },
  'group with somebody OFF': {
    reader: peer,
    open: (sender, reader) => aGroup(sender, reader, person('third OFF')),
    isGroup: true,
    hasOthersOff: true,
  },
  room: { reader: peer, open: (sender, reader) => aRoom(sender, reader, person('third ON')), isGroup: true },
  'official account': { reader: (state) => person(`official ${state}`), open: async (_, reader) => reader.mid },
};

/** A kind of content: how to send it, and how to check that the reader got the same content. */
interface Content {
  readonly send: (sender: Party, to: string) => Promise<Message>;
  readonly check: (reader: Party, message: OpenedMessage) => Promise<void>;
}
const place = { title: 'Pier 3', address: 'Harbour', latitude: 53.5, longitude: 9.9 };
const bytes = new TextEncoder().encode('the bytes of an object');
const media = (kind: MediaKind, name: string): Content => ({
  send: async (sender, to) => sender.client.media(sender.sealing).send(to, file(bytes, { kind, name })),
  async check(reader, message) {
    assert.equal(message.contentMetadata.FILE_NAME, name);
    const found = await contentOf(reader.client, reader.client.media(reader.sealing), message.id);
    assert.deepEqual(new Uint8Array(found), bytes);
  },
});
const contents: Readonly<Record<string, Content>> = {
  text: {
    send: async (sender, to) => (await sender.sealing.sendText(to, 'words')).message,
    check: async (_, message) => assert.equal(message.text, 'words'),
  },
  image: media('image', 'picture.bin'),
  file: media('file', 'report.pdf'),
  location: {
    send: async (sender, to) =>
      (await sender.sealing.send({ to, contentType: contentTypes.LOCATION, location: place })).message,
    check: async (_, message) => assert.deepEqual(message.location, place),
  },
};

function plainBecause(sender: OnOff, reader: OnOff, { isGroup, hasOthersOff }: ChatKind): PlainReason | undefined {
  if (sender === 'OFF') return 'sender-off';
  if (reader === 'OFF' || hasOthersOff) return isGroup ? 'member-off' : 'receiver-off';
  return undefined;
}

/** Returns the message with this id from the reader's stream. */
async function received(reader: Party, id: string, after: string): Promise<OpenedMessage> {
  const stop = new AbortController();
  for await (const event of reader.sealing.operations({ from: after, signal: stop.signal })) {
    if (event.kind !== 'operation' || event.operation.type !== operationTypes.RECEIVE_MESSAGE) continue;
    if (event.operation.message?.id === id) return event.operation.message;
  }
  return assert.fail('the stream ended');
}

for (const senderState of states) {
  for (const readerState of states) {
    for (const [chatName, chat] of Object.entries(chatKinds)) {
      const because = plainBecause(senderState, readerState, chat);
      const form = because === undefined ? 'sealed' : 'in the clear';
      describe(`sender ${senderState}, peer ${readerState}, ${chatName}: ${form}`, () => {
        let [sender, reader] = [{} as Party, {} as Party];
        let to = '';
        before(async () => {
          sender = person(`sender ${senderState}`);
          reader = chat.reader(readerState);
          to = await chat.open(sender, reader);
        });
        const chatOf = (viewer: Party) => (chat.isGroup ? to : viewer === reader ? sender.mid : reader.mid);
        const inForm = ({ sealing }: OpenedMessage) =>
          assert.equal(sealing.state, because === undefined ? 'opened' : 'plain');

        for (const [type, content] of Object.entries(contents)) {
          test(type, async (t) => {
            const from = await reader.client.TalkService.getLastOpRevision();
            let id = '';
            await t.test('send', async () => {
              const preview = await sender.sealing.preview({ to, contentType: contentTypes.NONE });
              assert.equal(preview.sealed ? undefined : preview.because, because);
              const sent = await content.send(sender, to);
              assert.equal(sent.chunks?.length, because === undefined ? 5 : undefined);
              id = sent.id;
            });
            await t.test('receive', async () => {
              const message = await received(reader, id, from);
              inForm(message);
              await content.check(reader, message);
            });
            await t.test('history after a new login', async () => {
              for (const viewer of [sender, reader]) {
                const back = await viewer.again();
                const [message] = await back.sealing.history(chatOf(viewer), 1);
                assert.ok(message?.id === id);
                inForm(message);
                await content.check(back, message);
                back.client.close();
              }
            });
          });
        }
      });
    }
  }
}
