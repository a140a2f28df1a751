// The files of an archive with everything that an account can see. docs/account-export.md explains the archive.
import Type, { type Static } from 'typebox';
import { Chat } from './chats.ts';
import { Contact } from './contacts.ts';
import { Session } from './devices.ts';
import { Message } from './message.ts';
import { Profile } from './profile.ts';
import { optional } from './schema.ts';
import { E2EEPublicKey } from './sealing.ts';
import { Settings } from './settings.ts';
import { ProductSummary } from './stickers.ts';

const Whole = Type.Integer({ minimum: 0 });
const Text = Type.String();
const Mids = Type.Array(Text);
const Path = Type.String({ description: 'path of a file in the archive' });
const version = { formatVersion: Type.Literal(1) };
const Missing = { reason: Text, detail: Text };

/** A picture, video, sound or file of a message. It has either `path` or `missing`. */
export const ExportedMedia = Type.Object(
  {
    path: optional(Path),
    bytes: optional(Whole),
    name: optional(Type.String({ description: 'file name that the sender chose' })),
    sealed: optional(Type.Boolean({ description: 'true if the file is as the server has it, which nobody can open' })),
    missing: optional(Type.Object(Missing, { description: 'why the archive does not have it' })),
  },
  { title: 'ExportedMedia' },
);
export type ExportedMedia = Static<typeof ExportedMedia>;

/** A message, and whether it could be opened. A message that stayed sealed has its `chunks`. */
export const ExportedMessage = Type.Intersect(
  [
    Message,
    Type.Object({
      sealing: Type.Object({
        state: Type.Enum(['plain', 'opened', 'unproven', 'sealed']),
        reason: optional(Text),
        cause: optional(Text),
        remedy: optional(Text),
      }),
      media: optional(ExportedMedia),
    }),
  ],
  { title: 'ExportedMessage' },
);
export type ExportedMessage = Static<typeof ExportedMessage>;

/** A file with messages of one chat, the oldest first. */
export const ExportedMessages = Type.Object(
  { ...version, chatMid: Text, messages: Type.Array(ExportedMessage) },
  { title: 'ExportedMessages', description: 'A file below chats/ in the archive of an account.' },
);
export type ExportedMessages = Static<typeof ExportedMessages>;

/** A chat of the account, without its messages. */
export const ExportedChat = Type.Object(
  {
    chatMid: Text,
    name: Text,
    chat: optional(Chat),
    invited: optional(Type.Boolean()),
    lastReadMessageId: optional(Text),
    readers: optional(Type.Record(Type.String(), Text)),
    messages: Whole,
    files: Type.Array(Path, { description: 'the files with the messages, the oldest first' }),
    missing: optional(Type.Object(Missing, { description: 'why messages are missing' })),
  },
  { title: 'ExportedChat' },
);
export type ExportedChat = Static<typeof ExportedChat>;

/** A picture of the account's profile. */
export const ExportedPicture = Type.Object({ what: Type.Enum(['profile', 'cover']), path: Path });
export type ExportedPicture = Static<typeof ExportedPicture>;

/** The file account.json, which describes the archive. */
export const AccountExport = Type.Object(
  {
    format: Type.Literal('account-export'),
    ...version,
    by: Type.Enum(['account', 'administrator']),
    exportedTime: Type.String({ format: 'date-time' }),
    mid: Text,
    profile: Profile,
    pictures: Type.Array(ExportedPicture),
    settings: Settings,
    contacts: Type.Array(Contact, { description: 'contacts, and everybody who shares a chat with the account' }),
    contactMids: Mids,
    favoriteMids: Mids,
    blockedMids: Mids,
    devices: Type.Array(Session),
    publicKeys: Type.Array(E2EEPublicKey),
    stickers: Type.Array(ProductSummary),
    emoji: Type.Array(ProductSummary),
    chats: Type.Array(ExportedChat),
    counts: Type.Object({
      messages: Whole,
      sealedMessages: Whole,
      media: Whole,
      mediaBytes: Whole,
      missingMedia: Whole,
    }),
  },
  { title: 'AccountExport', description: 'The file account.json in the archive of an account.' },
);
export type AccountExport = Static<typeof AccountExport>;
