// Checks what the server shows to accounts, against the rules of the protocol and against the model.
import assert from 'node:assert/strict';
import { contentTypes, type Message, operationTypes } from '@sealpost/contract';
import type { Model } from './model.ts';
import { type ModelChat, type ModelMessage, partiesOf } from './model-chat.ts';
import type { World } from './play.ts';
import { type KnownChat, replay } from './replay.ts';
import type { AccountView } from './shown.ts';

export interface CheckInput {
  readonly world: World;
  readonly model: Model;
  /** The data that the server shows to each account, by the number of the account. */
  readonly shown: readonly AccountView[];
  /** True if several servers made the ids. Then ids rise inside each chat, but not from chat to chat. */
  readonly severalServers?: boolean;
}

export function checkEverything(checked: CheckInput): void {
  const ids = orderOfMessages(checked);
  checked.shown.forEach((shown, account) => {
    checkRevisions(shown, account);
    checkChats(checked, account);
    checkBoxes(checked, account, ids);
    checkContacts(checked, account);
    checkReplay(checked, account);
  });
  checkUnsentTexts(checked);
}

const midOfChat = ({ world }: CheckInput, chat: ModelChat, account: number): string => {
  if (chat.command !== undefined) return world.chatMids.get(chat.command) as string;
  const peer = chat.pair.find((other) => other !== account) ?? account;
  return world.players[peer]?.mid as string;
};

/** Checks that the revisions of an account start at 1 and have no gaps. */
function checkRevisions({ operations }: AccountView, account: number): void {
  assert.deepEqual(
    operations.map((operation) => operation.revision),
    operations.map((_, i) => String(i + 1)),
    `the revisions of account ${account} are not dense`,
  );
}

/**
 * Checks that each log has all messages for its account, and that all logs have their messages in the same order.
 * Returns the message ids, by the numbers of the messages in the model.
 */
function orderOfMessages({ shown, model, world, severalServers = false }: CheckInput): ReadonlyMap<number, string> {
  const ids = new Map<number, string>();
  const chatOf = new Map<number, ModelChat>();
  shown.forEach(({ operations }, account) => {
    const expected = model.ofAccount(account).delivered();
    const found = operations.flatMap((operation) => operation.message ?? []);
    assert.deepEqual(
      found.map((message) => outlineOf(message, world)),
      expected.map((message) => outlineOfModel(message)),
      `the log of account ${account} holds other messages than were for it`,
    );
    found.forEach((message, i) => {
      const { seq, chat } = expected[i] as ModelMessage;
      chatOf.set(seq, chat);
      assert.equal(message.id, ids.get(seq) ?? message.id, `message ${seq} has two ids`);
      ids.set(seq, message.id);
    });
  });
  const inOrder = [...ids].sort(([a], [b]) => a - b);
  for (const some of Map.groupBy(inOrder, ([seq]) => (severalServers ? chatOf.get(seq) : undefined)).values()) {
    assert.ok(
      some.every(([, id], i) => i === 0 || BigInt(id) > BigInt(some[i - 1]?.[1] ?? 0)),
      'ids do not rise with the order of the messages',
    );
  }
  return ids;
}

const outlineOf = (message: Message, { players }: World): string =>
  [
    players.findIndex((player) => player.mid === message.from),
    message.contentType === contentTypes.CHATEVENT ? message.contentMetadata.LOC_KEY : (message.text ?? 'unsent'),
  ].join(' ');
const outlineOfModel = ({ sender, key, text, unsent }: ModelMessage): string =>
  `${sender} ${unsent ? 'unsent' : (key ?? text)}`;

/** Checks the chats of an account, with their members and invitees. */
function checkChats(checked: CheckInput, account: number): void {
  const { model, world } = checked;
  const shown = checked.shown[account] as AccountView;
  const own = model.ofAccount(account);
  const groups = [...own.groups(true), ...own.groups(false)];
  const midOf = (user: number): string => world.players[user]?.mid as string;
  const expectedMids = (joined: boolean) => own.groups(joined).map((chat) => midOfChat(checked, chat, account));
  assert.deepEqual(shown.mids.memberChatMids, expectedMids(true).sort(), `chats of account ${account}`);
  assert.deepEqual(shown.mids.invitedChatMids, expectedMids(false).sort(), `invitations of account ${account}`);
  assert.equal(shown.chats.length, groups.length);
  for (const chat of groups) {
    const found = shown.chats.find((c) => c.chatMid === midOfChat(checked, chat, account));
    const personal = chat.personal.get(account);
    assert.deepEqual(
      {
        name: found?.chatName,
        members: found?.extra?.groupExtra?.memberMids,
        invitees: found?.extra?.groupExtra?.inviteeMids,
        creator: found?.extra?.groupExtra?.creatorMid,
        muted: found?.notificationDisabled,
        favoriteTime: found?.favoriteTimestamp,
      },
      {
        name: chat.name,
        members: partiesOf(chat, true).map(midOf),
        invitees: partiesOf(chat, false).map(midOf),
        creator: midOf(chat.creator),
        muted: personal?.muted ?? false,
        favoriteTime: String(personal?.favoriteTime ?? 0),
      },
      `chat ${chat.command} as account ${account} sees it`,
    );
  }
}

/**
 * Checks which messages an account can read in each chat, how many of them are unread, and its message box for each
 * chat.
 */
function checkBoxes(checked: CheckInput, account: number, ids: ReadonlyMap<number, string>): void {
  const own = checked.model.ofAccount(account);
  const shown = checked.shown[account] as AccountView;
  const idOf = (seq: number): string => (seq === 0 ? '0' : (ids.get(seq) as string));
  const boxes = own.boxes();
  assert.deepEqual(
    shown.boxes.map((box) => box.id),
    boxes.map((chat) => midOfChat(checked, chat, account)).sort(),
    `boxes of account ${account}`,
  );
  for (const chat of boxes) {
    const mid = midOfChat(checked, chat, account);
    const visible = own.visible(chat);
    const what = `${chat.command === undefined ? `chat of ${chat.pair}` : `chat ${chat.command}`} of account ${account}`;
    const history = shown.histories[mid] ?? [];
    assert.deepEqual(
      history.map((message) => message.id),
      visible.map((message) => idOf(message.seq)),
      `history, ${what}`,
    );
    checkReactions(checked, account, history, visible, what);
    assert.deepEqual(shown.recent[mid], history.slice(-5).reverse(), `recent messages, ${what}`);
    const box = shown.boxes.find((b) => b.id === mid);
    const byId = shown.byId.messageBoxesByIds[mid];
    assert.deepEqual(box?.lastMessages, history.slice(-2).reverse(), `last messages, ${what}`);
    assert.deepEqual(byId?.lastMessages, history.slice(-3).reverse(), `last messages by id, ${what}`);
    for (const found of [box, byId]) {
      assert.deepEqual(
        {
          unread: found?.unreadCount,
          seen: found?.lastSeenMessageId,
          newest: found?.lastDeliveredMessageId?.messageId ?? '0',
          hidden: found?.hiddenAtMessageId !== undefined,
        },
        {
          unread: String(own.unread(chat)),
          seen: idOf(own.seen(chat)),
          newest: idOf(visible.at(-1)?.seq ?? 0),
          hidden: own.hidden(chat),
        },
        `box, ${what}`,
      );
    }
  }
  const readable = new Set(boxes.flatMap((chat) => own.visible(chat)).map((message) => idOf(message.seq)));
  const sent = [...checked.world.messageIds.values()];
  assert.deepEqual(
    shown.byIds.map((message) => message.id),
    sent.filter((id) => readable.has(id)),
    `messages by id of account ${account}`,
  );
}

/** Checks that a message has at most one reaction of each member, and that an unsent message has none. */
function checkReactions(
  { world }: CheckInput,
  account: number,
  history: readonly Message[],
  visible: readonly ModelMessage[],
  what: string,
): void {
  history.forEach((message, i) => {
    const expected = visible[i] as ModelMessage;
    assert.equal(outlineOf(message, world), outlineOfModel(expected), what);
    assert.deepEqual(
      (message.reactions ?? []).map((r) => [r.fromUserMid, r.reactionType.predefinedReactionType]),
      [...expected.reactions]
        .filter(([, { onlyFor }]) => onlyFor === undefined || onlyFor === account)
        .sort(([a, one], [b, other]) => one.time - other.time || a - b)
        .map(([by, { reaction }]) => [world.players[by]?.mid, reaction]),
      `reactions to message ${expected.command}, ${what}`,
    );
  });
}

function checkContacts({ model, world, shown: all }: CheckInput, account: number): void {
  const shown = all[account] as AccountView;
  const midsOf = (accounts: readonly number[]) => accounts.map((other) => world.players[other]?.mid);
  const { contacts } = model;
  const own = model.ofAccount(account);
  const favoriteChats = own.favoriteChats().map((chat) => world.chatMids.get(chat.command as number));
  assert.deepEqual(
    {
      contacts: shown.contacts,
      blocked: shown.blocked,
      blockedRecommendations: shown.blockedRecommendations,
      recommendations: shown.recommendations,
      favorites: shown.favorites,
      settings: { ...shown.settings },
    },
    {
      contacts: midsOf(contacts.contacts(account)),
      blocked: midsOf(contacts.blocked(account)),
      blockedRecommendations: midsOf(contacts.blockedRecommendations(account)),
      recommendations: midsOf(contacts.recommendations(account, own.sharing())),
      favorites: [...midsOf(contacts.favorites(account)), ...favoriteChats],
      settings: contacts.settings(account),
    },
    `lists of account ${account}`,
  );
  world.players.forEach(({ mid }, other) => {
    const record = shown.records[mid]?.contact;
    assert.deepEqual(
      {
        status: record?.status,
        relation: record?.relation,
        settings: Number(record?.settings),
        nameOverride: record?.displayNameOverridden,
        displayName: record?.displayName,
        statusMessage: record?.statusMessage,
      },
      contacts.contact(account, other),
      `account ${other} as account ${account} sees it`,
    );
  });
}

/** Checks that the operations of an account lead to the same chats and members as the getters return. */
function checkReplay(checked: CheckInput, account: number): void {
  const shown = checked.shown[account] as AccountView;
  const { mid } = checked.world.players[account] as { mid: string };
  compareReplay(shown, replay(mid, shown.operations), account);
}

export function checkReplaySince(checked: CheckInput, account: number, earlier: AccountView): void {
  const shown = checked.shown[account] as AccountView;
  const { mid } = checked.world.players[account] as { mid: string };
  const known = earlier.chats.map((chat): KnownChat => {
    const { memberMids = [], inviteeMids = [] } = chat.extra?.groupExtra ?? {};
    return {
      mid: chat.chatMid,
      members: memberMids,
      invitees: inviteeMids,
      own: memberMids.includes(mid) ? 'member' : 'invitee',
    };
  });
  const memberChats = known.filter((chat) => chat.own === 'member');
  const invitations = known
    .filter((chat) => chat.own === 'invitee')
    .map((chat) => ({ ...chat, members: [], invitees: [] }));
  const since = shown.operations.slice(earlier.operations.length);
  const found = replay(mid, since, [...memberChats, ...invitations]);
  const unknown = new Set(invitations.map((chat) => chat.mid));
  const members = new Map([...found.members].filter(([chat]) => !unknown.has(chat)));
  compareReplay(shown, { ...found, members }, account);
}

function compareReplay(shown: AccountView, found: ReturnType<typeof replay>, account: number): void {
  assert.deepEqual(found.strays, [], `account ${account} was told of chats in which it had no part`);
  const placed = (as: string) => [...found.own].flatMap(([chat, place]) => (place === as ? [chat] : [])).sort();
  assert.deepEqual(placed('member'), shown.mids.memberChatMids, `chats of account ${account} by its operations`);
  assert.deepEqual(
    placed('invitee'),
    shown.mids.invitedChatMids,
    `invitations of account ${account} by its operations`,
  );
  for (const chat of shown.chats) {
    const members = found.members.get(chat.chatMid);
    if (!members || !shown.mids.memberChatMids.includes(chat.chatMid)) continue;
    const { memberMids = [], inviteeMids = [] } = chat.extra?.groupExtra ?? {};
    assert.deepEqual([...members].sort(), [...memberMids].sort(), `members by the operations of account ${account}`);
    // The server does not notify other members when an invitee declines. So the operations of this account may still
    // show the invitation.
    const invitees = found.invitees.get(chat.chatMid) ?? new Set();
    assert.ok(
      inviteeMids.every((invitee) => invitees.has(invitee)),
      `invitees by the operations of account ${account}`,
    );
  }
  for (const box of shown.boxes) {
    const mark = found.readMarks.get(box.id);
    if (mark !== undefined) assert.equal(box.lastSeenMessageId, mark, `read mark of account ${account}`);
  }
}

/** Checks that no call shows the text of an unsent message. Only a mark remains in place of the message. */
function checkUnsentTexts({ shown, model }: CheckInput): void {
  const everything = JSON.stringify(shown);
  for (const text of unsentTexts(model)) assert.ok(!everything.includes(text), `the unsent ${text} is still shown`);
  for (const { operations } of shown) {
    const told = operations.filter(({ type }) => type === operationTypes.NOTIFIED_DESTROY_MESSAGE);
    for (const { param2 } of told) {
      const message = operations.find((operation) => operation.message?.id === param2)?.message;
      assert.equal(message?.contentMetadata.UNSENT ?? 'true', 'true', `message ${param2} has no tombstone`);
    }
  }
}

export const unsentTexts = (model: Model): string[] =>
  [...model.sent.values()].flatMap((message) => (message.unsent && message.text ? [message.text] : []));
