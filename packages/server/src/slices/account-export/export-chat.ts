// Writes the messages of one chat in files of limited size. The media of the messages in a file come before the file.
// So each message can tell where its media are, or that they are missing.
import { ApiError, type Chat, contentTypes, type Message, type MessageBox } from '@sealpost/contract';
import type { ExportedChat, ExportedMedia, ExportedMessage, ExportedMessages } from '@sealpost/contract/schemas';
import { ObjectMissing } from '../../platform/objects/objects.ts';
import { readObjectPath } from '../../platform/rpc/object-paths.ts';
import { answerOf, type ExportRun } from './export-deps.ts';
import { copied, jsonFile, type ZipFile } from './zip-of.ts';

interface FoundChat {
  readonly chatMid: string;
  readonly name: string;
  readonly chat: Chat | undefined;
  readonly box: MessageBox | undefined;
}

/** Maximum number of messages in a file. All of them are in memory at the same time. */
const MESSAGES = 1000;
/** Maximum number of messages in one read. Even messages of the largest size fit into one answer. */
const PAGE = 100;
const DIGITS = 19;
const MEDIA = new Set<number>([contentTypes.IMAGE, contentTypes.VIDEO, contentTypes.AUDIO, contentTypes.FILE]);

/** Yields the files of a chat, and returns the entry about the chat for account.json. */
export async function* exportChat(
  run: ExportRun,
  { chatMid, name, chat, box }: FoundChat,
): AsyncGenerator<ZipFile, ExportedChat, undefined> {
  const files: string[] = [];
  const before = run.counts.messages;
  let missing: ExportedChat['missing'];
  try {
    for (let oldest: Message | undefined; box; ) {
      const part = await partOf(run, chatMid, oldest);
      oldest = part.at(-1);
      if (!oldest) break;
      files.unshift(yield* exportPart(run, chatMid, part.reverse()));
    }
  } catch (error) {
    // The account may have left the chat in the meantime.
    if (!(error instanceof ApiError)) throw error;
    missing = { reason: error.code, detail: error.reason };
  }
  return {
    ...{ chatMid, name },
    ...(chat && { chat }),
    ...(chat?.extra?.groupExtra?.inviteeMids?.includes(run.call.caller.mid) && { invited: true }),
    ...(box?.lastSeenMessageId !== undefined && { lastReadMessageId: box.lastSeenMessageId }),
    ...(box && chat && !missing && { readers: await readersOf(run, chatMid) }),
    messages: run.counts.messages - before,
    files,
    ...(missing && { missing }),
  };
}

/** Returns the next messages of a chat, newest first, up to the size of one file. */
async function partOf({ reads, call }: ExportRun, chatMid: string, from?: Message): Promise<Message[]> {
  const part: Message[] = [];
  for (let before = from; part.length < MESSAGES; before = part.at(-1)) {
    const page: readonly Message[] = before
      ? await answerOf(
          reads['TalkService.getPreviousMessagesV2WithRequest'](call, {
            messageBoxId: chatMid,
            endMessageId: { messageId: before.id, deliveredTime: before.deliveredTime },
            messagesCount: PAGE,
          }),
        )
      : await answerOf(reads['TalkService.getRecentMessagesV2'](call, chatMid, PAGE));
    if (page.length === 0) break;
    part.push(...page);
  }
  return part;
}

async function* exportPart(
  run: ExportRun,
  chatMid: string,
  part: readonly Message[],
): AsyncGenerator<ZipFile, string, undefined> {
  const messages: ExportedMessage[] = [];
  for (const message of part) {
    const isSealed = (message.chunks?.length ?? 0) > 0;
    run.counts.messages += 1;
    if (isSealed) run.counts.sealedMessages += 1;
    const hasObject = MEDIA.has(message.contentType) && message.contentMetadata.UNSENT !== 'true';
    const media = hasObject ? yield* exportMedia(run, message, isSealed) : undefined;
    messages.push({ ...message, sealing: { state: isSealed ? 'sealed' : 'plain' }, ...(media && { media }) });
  }
  const path = `chats/${chatMid}/${part[0]?.id.padStart(DIGITS, '0')}.json`;
  yield jsonFile(path, { formatVersion: 1, chatMid, messages } satisfies ExportedMessages);
  return path;
}

/** Yields the file of a message's object with its stored bytes. Returns the entry about the file for the message. */
async function* exportMedia(
  { stored, call, counts }: ExportRun,
  { id, contentMetadata: { SID, OID, FILE_NAME } }: Message,
  isSealed: boolean,
): AsyncGenerator<ZipFile, ExportedMedia, undefined> {
  const object = readObjectPath(isSealed ? `/r/talk/${SID}/${OID}` : `/r/talk/m/${id}`);
  const found = object && (await stored(call.caller, object, Number(id)).catch(unlessMissing));
  if (!found) {
    counts.missingMedia += 1;
    return { missing: { reason: 'no-object', detail: 'It expired, was removed, or was never uploaded completely.' } };
  }
  const name = isSealed ? undefined : (FILE_NAME ?? found.name);
  const path = `media/${id}${isSealed ? '.sealed' : extensionOf(name)}`;
  yield { name: path, input: copied(found.bytes) };
  counts.media += 1;
  counts.mediaBytes += found.size;
  return { path, bytes: found.size, ...(name && { name }), ...(isSealed && { sealed: true }) };
}

function unlessMissing(error: unknown): undefined {
  // The bytes may have been removed in the meantime.
  if (!(error instanceof ApiError || error instanceof ObjectMissing)) throw error;
}

/** Returns the extension of a file name that a user chose, if it has only letters and digits. */
const extensionOf = (name = ''): string => /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0].toLowerCase() ?? '';

/** Returns how far the members of a chat have read: message ids by mid. */
async function readersOf({ reads, call }: ExportRun, chatMid: string): Promise<Readonly<Record<string, string>>> {
  const [range] = await answerOf(reads['TalkService.getMessageReadRange'](call, [chatMid]));
  const read = Object.entries(range?.ranges ?? {});
  return Object.fromEntries(read.map(([mid, ranges]) => [mid, ranges.at(-1)?.endMessageId ?? '0']));
}
