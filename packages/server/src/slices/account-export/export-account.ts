// Reads everything that an account can see, and makes the bytes of an archive from it. The export uses the same reads
// as a client of the account, so it contains nothing that is hidden from the account.
import { type Chat, type Contact, limits, type MessageBox, midPrefix } from '@sealpost/contract';
import { accountExportReadme } from '@sealpost/contract/account-export-readme';
import type { AccountExport, ExportedChat, ExportedPicture, ProductSummary } from '@sealpost/contract/schemas';
import type { UserCall } from '../../platform/rpc/call.ts';
import { readObjectPath } from '../../platform/rpc/object-paths.ts';
import { exportChat } from './export-chat.ts';
import { answerOf, type ExportDeps, type ExportRun } from './export-deps.ts';
import { copied, jsonFile, textFile, type ZipFile, zipOf } from './zip-of.ts';

export function exportAccount(deps: ExportDeps, { id, mid }: { id: number; mid: string }): AsyncIterable<Uint8Array> {
  const counts = { messages: 0, sealedMessages: 0, media: 0, mediaBytes: 0, missingMedia: 0 };
  return zipOf(filesOf({ ...deps, call: callAs(id, mid), counts }));
}

async function* filesOf(run: ExportRun): AsyncGenerator<ZipFile, void, undefined> {
  const { call, reads, counts, clock } = run;
  yield textFile('README.txt', accountExportReadme('administrator'));
  const profile = await answerOf(reads['TalkService.getProfile'](call));
  const pictures = yield* picturesOf(run, profile.picturePath);
  const groups = await groupsOf(run);
  const boxes = await boxesOf(run);
  const people = await peopleOf(run, [...boxes.keys()], [...groups.values()]);
  const names = new Map(people.contacts.map((contact) => [contact.mid, contact.displayName]));
  const chats: ExportedChat[] = [];
  for (const chatMid of new Set([...boxes.keys(), ...groups.keys()])) {
    const chat = groups.get(chatMid);
    const name = chat?.chatName || names.get(chatMid) || '';
    chats.push(yield* exportChat(run, { chatMid, name, chat, box: boxes.get(chatMid) }));
  }
  const manifest: AccountExport = {
    format: 'account-export',
    formatVersion: 1,
    by: 'administrator',
    exportedTime: new Date(clock.now()).toISOString(),
    mid: call.caller.mid,
    profile,
    pictures,
    settings: await answerOf(reads['TalkService.getSettings'](call)),
    ...people,
    devices: await answerOf(reads['PrimaryDeviceService.getSessions'](call)),
    publicKeys: await answerOf(reads['TalkService.getE2EEPublicKeys'](call)),
    stickers: await productsOf(run, 'stickershop'),
    emoji: await productsOf(run, 'sticonshop'),
    chats,
    counts,
  };
  yield jsonFile('account.json', manifest);
}

/** Returns a call as if the account made it, but without a session. */
const callAs = (accountId: number, mid: string): UserCall => ({
  method: 'TalkService.getProfile',
  caller: { accountId, mid, sessionId: 0 },
  remoteAddress: '',
  chromeClient: false,
  args: [],
  header: () => undefined,
  signal: new AbortController().signal,
  setCookie: () => {},
});

async function* picturesOf(run: ExportRun, picturePath = ''): AsyncGenerator<ZipFile, ExportedPicture[], undefined> {
  const { caller } = run.call;
  const cover = await run.coverOf(caller.accountId);
  const written: ExportedPicture[] = [];
  const places = { profile: `/${picturePath.replace(/^\/+/, '')}`, cover: `/r/myhome/c/${cover}` };
  for (const what of ['profile', 'cover'] as const) {
    const path = readObjectPath(places[what]);
    const found = path && (await run.stored(caller, path).catch(() => undefined));
    if (!found) continue;
    const picture = { what, path: `pictures/${what}.jpg` };
    yield { name: picture.path, input: copied(found.bytes) };
    written.push(picture);
  }
  return written;
}

/** Returns the groups and rooms that the account is in or invited to, by mid. */
async function groupsOf({ reads, call }: ExportRun): Promise<Map<string, Chat>> {
  const which = { withMemberChats: true, withInvitedChats: true };
  const found = await answerOf(reads['TalkService.getAllChatMids'](call, which));
  const groups = new Map<string, Chat>();
  for (const chatMids of pagesOf([...found.memberChatMids, ...found.invitedChatMids])) {
    const request = { chatMids, withMembers: true, withInvitees: true };
    const { chats } = await answerOf(reads['TalkService.getChats'](call, request));
    for (const chat of chats) groups.set(chat.chatMid, chat);
  }
  return groups;
}

/** Returns the message boxes of all chats with messages, by mid. */
async function boxesOf({ reads, call }: ExportRun): Promise<Map<string, MessageBox>> {
  const boxes = new Map<string, MessageBox>();
  for (let minChatId = ''; ; ) {
    const request = { minChatId, messageBoxCountLimit: limits.messageBoxesPerPage.value };
    const page = await answerOf(reads['TalkService.getMessageBoxes'](call, request));
    for (const { lastMessages: _, ...box } of page.messageBoxes) boxes.set(box.id, box);
    const last = page.messageBoxes.at(-1);
    if (!page.hasNext || !last) return boxes;
    minChatId = last.id;
  }
}

async function peopleOf({ reads, call }: ExportRun, chatMids: readonly string[], groups: readonly Chat[]) {
  const contactMids = await answerOf(reads['TalkService.getAllContactIds'](call));
  const favoriteMids = await answerOf(reads['TalkService.getFavoriteMids'](call));
  const blockedMids = await answerOf(reads['TalkService.getBlockedContactIds'](call));
  const inGroups = groups.flatMap(({ extra }) => [
    ...(extra?.groupExtra?.memberMids ?? []),
    ...(extra?.groupExtra?.inviteeMids ?? []),
  ]);
  const people = chatMids.filter((mid) => mid.startsWith(midPrefix.user));
  const contacts: Contact[] = [];
  for (const targetUserMids of pagesOf([...contactMids, ...blockedMids, ...people, ...inGroups])) {
    const answer = await answerOf(reads['TalkService.getContactsV2'](call, { targetUserMids }));
    for (const { contact } of Object.values(answer.contacts)) if (contact) contacts.push(contact);
  }
  return { contacts, contactMids, favoriteMids, blockedMids };
}

async function productsOf({ reads, call }: ExportRun, shop: string): Promise<ProductSummary[]> {
  const products: ProductSummary[] = [];
  for (;;) {
    const most = limits.productsPerPage.value;
    const locale = { language: 'en', country: 'US' };
    const owned = reads['ShopService.getOwnedProductSummaries'](call, shop, products.length, most, locale);
    const { productList, totalSize } = await answerOf(owned);
    products.push(...productList);
    if (productList.length === 0 || products.length >= totalSize) return products;
  }
}

/** Returns mids in pages, without repetitions. */
function pagesOf(mids: readonly string[]): string[][] {
  const different = [...new Set(mids)];
  const size = limits.midsPerCall.value;
  return Array.from({ length: Math.ceil(different.length / size) }, (_, at) =>
    different.slice(at * size, (at + 1) * size),
  );
}
