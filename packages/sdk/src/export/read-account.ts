// Reads the records of an account from the server: profile, settings, contacts, chats, devices, stickers.
import { type AccountExport, type Chat, type Contact, type MessageBox, midPrefix } from '@sealpost/contract';
import { pagesOf } from '../gateway/pages.ts';
import { type ClientLimits, readLimits } from '../replica/client-limits.ts';
import { membersOf } from '../replica/server-state.ts';
import { Shop } from '../stickers/shop.ts';
import { type ExportRun, patiently } from './export-deps.ts';

/** A chat whose messages are still to be read. */
export interface FoundChat {
  readonly chatMid: string;
  readonly name: string;
  readonly chat: Chat | undefined;
  readonly invited: boolean;
  /** The message box of the chat; undefined if the account has no message there. */
  readonly box: MessageBox | undefined;
  /** Maximum number of messages for one call. */
  readonly pageSize: number;
}

type Records = Omit<
  AccountExport,
  'format' | 'formatVersion' | 'by' | 'exportedTime' | 'mid' | 'pictures' | 'chats' | 'counts'
>;

export async function readAccount(
  run: ExportRun,
  locale: string,
): Promise<Records & { readonly chats: readonly FoundChat[] }> {
  const { rpc } = run;
  const { TalkService } = rpc;
  const ask = <T>(call: () => Promise<T>): Promise<T> => patiently(run, call);
  const limits = await ask(() => readLimits(rpc));
  const profile = await ask(() => TalkService.getProfile());
  const settings = await ask(() => TalkService.getSettings());
  const [contactMids, favoriteMids, blockedMids] = [
    await ask(() => TalkService.getAllContactIds()),
    await ask(() => TalkService.getFavoriteMids()),
    await ask(() => TalkService.getBlockedContactIds()),
  ];
  const chats = await chatsOf(run, limits);
  const boxes = await boxesOf(run, limits);
  const people = new Set([
    ...contactMids,
    ...blockedMids,
    ...[...boxes.keys()].filter((mid) => mid.startsWith(midPrefix.user)),
    ...[...chats.values()].flatMap(membersOf),
  ]);
  const contacts: Contact[] = [];
  for (const targetUserMids of pagesOf(people, limits.midsPerCall)) {
    const answer = await ask(() => TalkService.getContactsV2({ targetUserMids }));
    for (const { contact } of Object.values(answer.contacts)) if (contact) contacts.push(contact);
  }
  const stickers = new Shop({ rpc, locale });
  const names = new Map(contacts.map((contact) => [contact.mid, contact.displayNameOverridden || contact.displayName]));
  const found = [...new Set([...boxes.keys(), ...chats.keys()])].map((chatMid): FoundChat => {
    const chat = chats.get(chatMid);
    return {
      chatMid,
      name: chat?.chatName || names.get(chatMid) || '',
      chat,
      invited: chat?.extra?.groupExtra?.inviteeMids?.includes(run.me) ?? false,
      box: boxes.get(chatMid),
      pageSize: limits.syncMessages,
    };
  });
  return {
    profile,
    settings,
    ...{ contacts, contactMids, favoriteMids, blockedMids },
    devices: await ask(() => rpc.devices.sessions()),
    publicKeys: await ask(() => TalkService.getE2EEPublicKeys()),
    stickers: await ask(() => stickers.owned('stickers')),
    emoji: await ask(() => stickers.owned('emoji')),
    chats: found,
  };
}

/** Returns the groups and rooms that the account is in or invited to, by mid. */
async function chatsOf(run: ExportRun, { midsPerCall }: ClientLimits): Promise<Map<string, Chat>> {
  const { TalkService } = run.rpc;
  const which = { withMemberChats: true, withInvitedChats: true };
  const { memberChatMids, invitedChatMids } = await patiently(run, () => TalkService.getAllChatMids(which));
  const found = new Map<string, Chat>();
  for (const chatMids of pagesOf([...memberChatMids, ...invitedChatMids], midsPerCall)) {
    const request = { chatMids, withMembers: true, withInvitees: true };
    const answer = await patiently(run, () => TalkService.getChats(request));
    for (const chat of answer.chats) found.set(chat.chatMid, chat);
  }
  return found;
}

/** Returns the message boxes of all chats with messages, by mid. */
async function boxesOf(run: ExportRun, { syncMessageBoxes }: ClientLimits): Promise<Map<string, MessageBox>> {
  const found = new Map<string, MessageBox>();
  for (let minChatId = ''; ; ) {
    const request = { minChatId, messageBoxCountLimit: syncMessageBoxes, lastMessagesPerMessageBoxCount: 0 };
    const answer = await patiently(run, () => run.rpc.TalkService.getMessageBoxes(request));
    for (const box of answer.messageBoxes) found.set(box.id, box);
    const last = answer.messageBoxes.at(-1);
    if (!answer.hasNext || !last || last.id === minChatId) return found;
    minChatId = last.id;
  }
}
