// The page's copy of conversations: in whatever order answers and changes come, it ends with what the engine has.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ChatView, StoredMessage } from '@sealpost/sdk';
import { createMirror } from '../src/chat/client/mirror.ts';
import type { Changes, EngineEvent, Snapshot } from '../src/chat/client/protocol.ts';
import type { Remote } from '../src/chat/client/remote.ts';

const BEN = 'uben';

const message = (id: number, text?: string): StoredMessage =>
  ({ id: String(id), from: BEN, to: 'uann', contentType: 0, contentMetadata: {}, text }) as never;
const messages = (...ids: number[]): StoredMessage[] => ids.map((id) => message(id, `text ${id}`));
const chat = (last?: StoredMessage): ChatView => ({ mid: BEN, name: 'Ben', unread: 0, ...(last && { last }) }) as never;
const changes = (change: Partial<Changes>): EngineEvent => ({
  kind: 'changes',
  changes: { chats: [], goneChats: [], contacts: [], goneContacts: [], messages: {}, readers: [], ...change },
});
const of = (...changed: (StoredMessage | string)[]): Pick<Changes, 'messages'> => ({ messages: { [BEN]: changed } });

/** A mirror of an engine whose reads of messages are answered by the test. */
async function mirrored(chats: readonly ChatView[] = []) {
  const asked: { readonly verb: string; readonly before: string | undefined; answer(page: StoredMessage[]): void }[] =
    [];
  const ask =
    (verb: string) =>
    (_chatMid: string, { before }: { before?: string } = {}) =>
      new Promise<StoredMessage[]>((resolve) => asked.push({ verb, before, answer: resolve }));
  const status = { phase: 'open', connection: { state: 'online' }, session: { mid: 'uann' } } as const;
  const snapshot: Snapshot = { status, chats, contacts: [], outbox: [] };
  const remote = {
    engine: { snapshot: async () => snapshot },
    replica: { keptMessages: ask('keptMessages'), messages: ask('messages'), readers: async () => ({}) },
    messaging: { readers: async () => ({}) },
  } as unknown as Remote;
  let hear = (_: EngineEvent): void => {};
  const { store, openConversation, loadOlder } = createMirror({
    line: {
      remote,
      onEvent(listener) {
        hear = listener;
        return () => {};
      },
    },
    build: 'this',
    nextFrame: (run) => run(),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  return {
    open: () => void openConversation(BEN),
    loadOlder: () => void loadOlder(BEN),
    async hear(event: EngineEvent) {
      hear(event);
      await settled();
    },
    /** Answers the read of messages that waits. Its verb must be this one. */
    async answer(verb: string, ids: readonly StoredMessage[]) {
      await settled();
      const next = asked.shift();
      assert.equal(next?.verb, verb);
      next?.answer(ids.toReversed());
      await settled();
    },
    waiting: () => asked.map(({ verb, before }) => `${verb} ${before ?? ''}`.trim()),
    texts: () =>
      store
        .getState()
        .conversations.get(BEN)
        ?.messages.map(({ id, text }) => text ?? `${id} sealed`),
    isComplete: () => store.getState().conversations.get(BEN)?.complete,
  };
}

const texts = (...ids: number[]): string[] => ids.map((id) => `text ${id}`);

describe('the copy of a conversation', () => {
  test('a chat that is opened before the first read of everything keeps its history', async () => {
    const mirror = await mirrored();
    mirror.open();
    await mirror.answer('keptMessages', []);
    await mirror.answer('messages', messages(1, 2, 3));
    await mirror.hear(changes(of(...messages(1, 2, 3))));
    // A draft makes the chat known, and nothing of its messages.
    await mirror.hear(changes({ chats: [chat()] }));
    assert.deepEqual(mirror.texts(), texts(1, 2, 3));
    // Then everything is read: of each chat, the newest message is kept.
    await mirror.hear(changes({ chats: [chat(message(3, 'text 3'))], ...of('1', '2', ...messages(3)) }));
    assert.deepEqual([mirror.texts(), mirror.isComplete()], [texts(1, 2, 3), true]);
  });

  test('the same, where the engine tells of the history before it answers', async () => {
    const mirror = await mirrored();
    mirror.open();
    await mirror.answer('keptMessages', []);
    await mirror.hear(changes(of(...messages(1, 2, 3))));
    await mirror.answer('messages', messages(1, 2, 3));
    await mirror.hear(changes({ chats: [chat(message(3, 'text 3'))], ...of('1', '2', ...messages(3)) }));
    assert.deepEqual(mirror.texts(), texts(1, 2, 3));
  });

  test('what came after everything was read again leaves no gap', async () => {
    const mirror = await mirrored([chat(message(3, 'text 3'))]);
    mirror.open();
    await mirror.answer('keptMessages', messages(1, 2, 3));
    await mirror.answer('messages', []);
    assert.equal(mirror.isComplete(), true);
    await mirror.hear(changes({ chats: [chat(message(9, 'text 9'))], ...of('1', '2', '3', ...messages(9)) }));
    assert.deepEqual([mirror.texts(), mirror.isComplete()], [texts(9), false]);
    mirror.loadOlder();
    await mirror.answer('messages', messages(1, 2, 3, 4, 5, 6, 7, 8));
    assert.deepEqual([mirror.texts(), mirror.isComplete()], [texts(1, 2, 3, 4, 5, 6, 7, 8, 9), true]);
  });

  test('a page that no longer follows what is loaded is read again', async () => {
    const mirror = await mirrored([chat(message(3, 'text 3'))]);
    mirror.open();
    await mirror.answer('keptMessages', messages(2, 3));
    await mirror.hear(changes({ chats: [chat(message(9, 'text 9'))], ...of('2', '3', ...messages(9)) }));
    await mirror.answer('messages', messages(1));
    assert.deepEqual([mirror.texts(), mirror.isComplete()], [texts(9), false]);
    mirror.loadOlder();
    assert.deepEqual(mirror.waiting(), ['messages 9']);
  });

  test('a message that opened or came while messages are read is not lost', async () => {
    const mirror = await mirrored([chat(message(2))]);
    mirror.open();
    await mirror.hear(changes(of(message(1, 'opened'))));
    await mirror.hear(changes({ chats: [chat(message(3, 'new'))], ...of(message(3, 'new')) }));
    await mirror.answer('keptMessages', [message(1), message(2)]);
    assert.deepEqual(mirror.texts(), ['opened', '2 sealed', 'new']);
    await mirror.hear(changes(of(message(2, 'opened too'))));
    await mirror.answer('messages', []);
    assert.deepEqual(mirror.texts(), ['opened', 'opened too', 'new']);
  });

  test('a history that is removed is gone, also while it is read', async () => {
    const mirror = await mirrored([chat(message(3, 'text 3'))]);
    mirror.open();
    await mirror.answer('keptMessages', messages(2, 3));
    await mirror.hear(changes(of('2', '3')));
    await mirror.hear(changes({ chats: [chat()] }));
    await mirror.answer('messages', messages(1));
    assert.deepEqual([mirror.texts(), mirror.isComplete()], [[], true]);
    await mirror.hear(changes({ chats: [chat(message(4, 'text 4'))], ...of(...messages(4)) }));
    assert.deepEqual(mirror.texts(), texts(4));
    await mirror.hear(changes({ goneChats: [BEN] }));
    assert.deepEqual(mirror.texts(), []);
  });
});
