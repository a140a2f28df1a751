// Does the deeds of people on a server, through their clients.
import {
  contentTypes,
  type Message,
  messageRelationTypes,
  midPrefix,
  type OutgoingMessage,
  predefinedReactionTypes,
  serviceCodes,
} from '@sealpost/contract';
import { sealKeyChainBackup, toBase64 } from '@sealpost/crypto';
import { itemAt } from './chance.ts';
import type { PlannedChat } from './chats.ts';
import type {
  ChatAction,
  Content,
  CreateAction,
  Deed,
  MessageAction,
  PersonAction,
  Reaction,
  SendAction,
} from './deeds.ts';
import type { Hand } from './hand.ts';
import type { Person } from './people.ts';
import { type DrawnPhoto, drawAvatar } from './pictures.ts';

/** Maps the numbers in deeds to the mids and ids of the server. */
export interface World {
  readonly seed: number;
  readonly photo: (name: string) => Promise<DrawnPhoto>;
  readonly people: readonly Person[];
  readonly chats: readonly PlannedChat[];
  /** The mids of the people. The index is the number of the person. */
  readonly mids: readonly string[];
  /** The mids of groups and rooms, by the number of the chat. */
  readonly chatMids: Map<number, string>;
  /** The ids of messages, by number. */
  readonly messageIds: Map<number, string>;
}

/** Does one deed of a person. @throws GatewayError if the server refuses it */
export async function perform(world: World, hand: Hand, deed: Deed): Promise<void> {
  switch (deed.do) {
    case 'arrive':
      return arrive(world, hand);
    case 'befriend':
    case 'block':
    case 'favour':
    case 'mute':
      return judgePerson(world, hand, deed);
    case 'create':
      return create(world, hand, deed);
    case 'accept':
    case 'leave':
    case 'favourChat':
    case 'muteChat':
    case 'invite':
    case 'rename':
      return changeChat(world, hand, deed);
    case 'send':
      return send(world, hand, deed);
    case 'react':
    case 'unsend':
    case 'read':
      return changeMessage(world, hand, deed);
  }
}

/**
 * The lowest cost at which a backup of keys can be sealed. The passphrase of a simulated person is not a secret, so a
 * higher cost would not help.
 */
const BACKUP_COST = { memoryKiB: 64, passes: 1, lanes: 1 };

async function arrive({ seed }: World, { person, verbs, sealing, rpc }: Hand): Promise<void> {
  if (person.status) await verbs.profile.setStatusMessage(person.status);
  if (person.hasPicture) await verbs.profile.setPicture(await drawAvatar(seed, person.userid));
  if (!sealing || !person.recoveryPassphrase) return;
  await sealing.ownKey();
  const keys = await rpc.keyStore.ownKeys(rpc.session?.mid ?? '');
  const backup = await sealKeyChainBackup(keys, person.recoveryPassphrase, { cost: BACKUP_COST });
  await rpc.KeyBackupService.putBackup({ expectedVersion: 0, blob: toBase64(backup) });
}

async function judgePerson(
  { mids }: World,
  { verbs: { contacts } }: Hand,
  { do: what, person }: PersonAction,
): Promise<void> {
  const mid = itemAt(mids, person);
  if (what === 'befriend') await contacts.add(mid);
  else if (what === 'block') await contacts.block(mid);
  else if (what === 'favour') await contacts.setFavorite(mid, true);
  else await contacts.setMuted(mid, true);
}

async function create(world: World, { person, verbs }: Hand, { chat }: CreateAction): Promise<void> {
  const { kind, name, members, hasPicture } = itemAt(world.chats, chat);
  const others = members.filter((number) => number !== person.number).map((number) => itemAt(world.mids, number));
  const picture = hasPicture ? { picture: await drawAvatar(world.seed, `chat ${chat}`) } : {};
  const chatMid = await (kind === 'room'
    ? verbs.chats.createRoom(others)
    : verbs.chats.createGroup({ name, members: others, ...picture }));
  world.chatMids.set(chat, chatMid);
}

async function changeChat(world: World, { verbs: { chats } }: Hand, deed: ChatAction): Promise<void> {
  const chatMid = known(world.chatMids, deed.chat, 'chat');
  switch (deed.do) {
    case 'accept':
      return chats.accept(chatMid);
    case 'leave':
      return chats.leave(chatMid);
    case 'favourChat':
      return chats.setFavorite(chatMid, true);
    case 'muteChat':
      return chats.setMuted(chatMid, true);
    case 'invite':
      return chats.invite(chatMid, [itemAt(world.mids, deed.person)]);
    case 'rename':
      return chats.rename(chatMid, deed.name);
  }
}

async function changeMessage(world: World, hand: Hand, deed: MessageAction): Promise<void> {
  const messageId = known(world.messageIds, deed.message, 'message');
  switch (deed.do) {
    case 'unsend':
      return unsend(hand, messageId);
    case 'read':
      return markRead(hand, placeOf(world, hand.person, deed.chat), messageId);
    case 'react':
      return reactTo(hand, messageId, deed.reaction);
  }
}

export async function unsend({ rpc }: Hand, messageId: string): Promise<void> {
  await rpc.TalkService.unsendMessage(rpc.nextReqSeq(), messageId);
}

/** Moves the read mark of a chat to a message. */
export async function markRead({ rpc }: Hand, place: string, messageId: string): Promise<void> {
  await rpc.TalkService.sendChatChecked(rpc.nextReqSeq(), place, messageId);
}

export async function reactTo({ rpc }: Hand, messageId: string, reaction: Reaction): Promise<void> {
  const reactionType = { predefinedReactionType: predefinedReactionTypes[reaction] };
  await rpc.TalkService.react({ reqSeq: rpc.nextReqSeq(), messageId, reactionType });
}

async function send(world: World, hand: Hand, { chat, message, content, replyTo }: SendAction): Promise<void> {
  const to = placeOf(world, hand.person, chat);
  const answered = replyTo === undefined ? undefined : known(world.messageIds, replyTo, 'message');
  const { id } = await say(world, hand, to, content, answered);
  world.messageIds.set(message, id);
}

/**
 * Sends content to a user or chat. Seals the content if both the person and the chat seal. Returns the stored message.
 */
export async function say(
  world: Pick<World, 'photo' | 'mids' | 'people'>,
  { rpc, sealing, media }: Hand,
  to: string,
  content: Content,
  replyTo?: string,
): Promise<Message> {
  if (content.kind === 'picture') {
    const { bytes, preview } = await world.photo(content.name);
    return media.send(to, { kind: 'image', name: `${content.name}.jpg`, bytes: sourceOf(bytes), preview });
  }
  if (content.kind === 'file') {
    const bytes = new TextEncoder().encode(content.text);
    return media.send(to, { kind: 'file', name: content.name, bytes: sourceOf(bytes) });
  }
  const message = { to, ...fieldsOf(world, content), ...(replyTo !== undefined && answering(replyTo)) };
  return sealing ? (await sealing.send(message)).message : rpc.send(message);
}

const sourceOf = (bytes: Uint8Array<ArrayBuffer>) => ({ size: bytes.length, stream: () => [bytes] });

/** Returns the fields of a message that answers another. */
const answering = (relatedMessageId: string) => ({
  relatedMessageId,
  messageRelationType: messageRelationTypes.REPLY,
  relatedMessageServiceCode: serviceCodes.TALK,
});

function fieldsOf(
  { mids, people }: Pick<World, 'mids' | 'people'>,
  content: Exclude<Content, { kind: 'picture' | 'file' }>,
): Omit<OutgoingMessage, 'to'> {
  switch (content.kind) {
    case 'text':
      return { contentType: contentTypes.NONE, text: content.text, ...mentioning(mids, people, content) };
    case 'sticker': {
      const { packageId, stickerId } = content;
      const contentMetadata = { STKPKGID: packageId, STKID: stickerId, STKVER: '1' };
      return { contentType: contentTypes.STICKER, contentMetadata };
    }
    case 'place': {
      const { title, latitude, longitude } = content;
      return { contentType: contentTypes.LOCATION, location: { title, latitude, longitude } };
    }
    case 'contact': {
      const contentMetadata = { mid: itemAt(mids, content.person), displayName: itemAt(people, content.person).name };
      return { contentType: contentTypes.CONTACT, contentMetadata };
    }
  }
}

/** Returns the metadata of mentions. The text contains each name as `@name`. */
function mentioning(
  mids: readonly string[],
  people: readonly Person[],
  { text, mentions = [] }: Extract<Content, { kind: 'text' }>,
): Pick<OutgoingMessage, 'contentMetadata'> {
  if (mentions.length === 0) return {};
  const MENTIONEES = mentions.map((number) => {
    const name = `@${itemAt(people, number).name}`;
    const start = text.indexOf(name);
    return { S: String(start), E: String(start + name.length), M: itemAt(mids, number) };
  });
  return { contentMetadata: { MENTION: JSON.stringify({ MENTIONEES }) } };
}

/** Returns the mid to which a person sends messages for a chat: the other person of a chat of two, or the group. */
function placeOf(world: World, person: Person, chat: number): string {
  const { kind, members } = itemAt(world.chats, chat);
  if (kind !== 'pair') return known(world.chatMids, chat, 'chat');
  return itemAt(world.mids, members.find((member) => member !== person.number) ?? person.number);
}

/** Returns true if a mid is that of a group or room. */
export const isShared = (mid: string): boolean => !mid.startsWith(midPrefix.user);

function known(ids: ReadonlyMap<number, string>, number: number, what: string): string {
  const id = ids.get(number);
  if (id === undefined) throw new Error(`${what} ${number} was not made yet: the deeds are not in their order`);
  return id;
}
