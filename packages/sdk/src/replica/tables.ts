// The tables of the replica: what the account sees on the server, as of a revision of its operation log.
import type { Chat, Contact, Profile, Settings } from '@sealpost/contract';
import type { OpenedMessage } from '../sealing/open.ts';
import { table } from '../store/local-state.ts';

/** The position in the operation log up to which operations were applied. */
export interface Cursor {
  readonly revision: string;
}

/** A message as the replica keeps it. */
export interface StoredMessage extends OpenedMessage {
  /** The id that the message had in the outbox of this client. The message keeps it for ever. */
  readonly localId?: string;
}

/** The account's view of a chat: read marks, unread messages, the newest message. */
export interface Box {
  readonly chatMid: string;
  /** The number of unread messages, exact for messages up to `newestId`. */
  readonly unread: number;
  readonly newestId: string;
  readonly seenId: string;
  /** True if the chat is hidden until there is a newer message. */
  readonly hidden: boolean;
  /** The newest message; absent in a chat whose history was removed. */
  readonly last?: StoredMessage;
}

/** The messages of a chat that this device keeps: all from `oldestId` on, without gaps. */
export interface Window {
  readonly oldestId: string;
  readonly count: number;
  /** True if the first message of the chat is among them. */
  readonly complete?: boolean;
}

/** The texts of successive messages of a chat, the newest first. */
export interface TextBlock {
  readonly count: number;
  /** Message ids, separated by spaces. */
  readonly ids: string;
  /** The texts as `folded` returns them, one on each line. The line of a message without text is empty. */
  readonly texts: string;
}

/** The messages of a chat whose texts are stored in blocks: all from `oldestId` to `newestId`. */
export interface TextRange {
  readonly oldestId?: string;
  readonly newestId?: string;
  readonly count: number;
  /** True if the first message of the chat is among them. */
  readonly complete: boolean;
}

/** The id of the last message that each member of a chat has read, by mid. */
export type Readers = Readonly<Record<string, string>>;

/** The unfinished text that the user began to write. */
export interface Draft {
  readonly text: string;
  readonly replyTo?: string;
  /** The time when the draft was last changed, in epoch milliseconds. */
  readonly time: number;
}

/** A mark on a record that must be read again from the server. */
export interface Mark {
  /**
   * The revision of the operation that reported the change, or a text that names another reason. A mark that is renewed
   * gets another value.
   */
  readonly since: string;
}

/** The account's own keys that this device had when it last tried to open messages that stayed sealed. */
export interface HeldKeys {
  readonly keyIds: readonly number[];
  /** True if every message that had stayed sealed until then was marked for another attempt. */
  readonly tried: boolean;
}

/** The id of the only record of a table. */
export const ME = 'me';

export const cursors = table<Cursor>('cursor', { inMemory: true });
export const profiles = table<Profile>('profile', { inMemory: true });
export const settings = table<Settings>('settings', { inMemory: true });
/** Records of contacts and of other members of chats, by mid. */
export const contacts = table<Contact>('contact', { inMemory: true });
/** Groups and rooms that the account is in or invited to, by mid. */
export const chats = table<Chat>('chat', { inMemory: true });
export const boxes = table<Box>('box', { inMemory: true });
export const drafts = table<Draft>('draft', { inMemory: true });
export const marks = table<Mark>('mark', { inMemory: true });
export const heldKeys = table<HeldKeys>('held-keys', { inMemory: true });
/** Messages by chat and id, see `messageKey`. */
export const messages = table<StoredMessage>('message');
/** The chat of each kept message, by message id. */
export const places = table<string>('place');
export const windows = table<Window>('window');
export const readers = table<Readers>('reader');
/** The messages whose texts are stored, by chat. */
export const textRanges = table<TextRange>('text-range', { inMemory: true });
/** Blocks of texts, by chat and the id of the oldest message in the block, see `messageKey`. */
export const textBlocks = table<TextBlock>('text');

export const replicaTables = [cursors, profiles, settings, contacts, chats, boxes, drafts, marks, heldKeys, textRanges];

const DIGITS = 19;

/** Returns the id under which a message is stored. These ids have the same order as the messages of a chat. */
export const messageKey = (chatMid: string, messageId: string): string =>
  `${chatMid}/${messageId.padStart(DIGITS, '0')}`;

/** Returns the message id from a key that `messageKey` made. */
export const messageIdOf = (key: string): string => key.slice(key.indexOf('/') + 1).replace(/^0+(?=.)/, '');

/** Returns whether a message id is newer than another. */
export const isNewer = (one: string, other: string): boolean => Number(one) > Number(other);

/** Returns whether a message was unsent. Then it has no content any more. */
export const isUnsent = ({ contentMetadata }: Pick<StoredMessage, 'contentMetadata'>): boolean =>
  contentMetadata.UNSENT === 'true';

/** Returns the chat of a message: the other party of a one-to-one chat, else the group or room. */
export const chatOf = ({ to, from }: { readonly to: string; readonly from: string }, me: string): string =>
  to === me ? from : to;
