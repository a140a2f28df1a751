// Writes the messages of one chat in files of limited size. The media of the messages in a file come before the file.
// So each message can tell where its media are, or why they are missing.
import type { ExportedChat, ExportedMessage, ExportedMessages, Message } from '@sealpost/contract';
import { GatewayError, isPassing } from '../gateway/errors.ts';
import { pagesOf } from '../gateway/pages.ts';
import { historyPages } from '../sealing/history-pages.ts';
import type { OpenedMessage } from '../sealing/open.ts';
import { openedInTime } from '../sealing/opened-in-time.ts';
import { type ExportEntry, type ExportRun, jsonEntry, patiently } from './export-deps.ts';
import { exportMedia, isMedia } from './export-media.ts';
import type { FoundChat } from './read-account.ts';

/** Maximum number of messages in a file. All of them are in memory at the same time. */
const MESSAGES = 1000;
/** Maximum number of messages in one call. A larger page of large messages could exceed the server's limit. */
const PAGE = 100;
const DIGITS = 19;

/** Yields the files of a chat, and returns the entry about the chat for account.json. */
export async function* exportChat(
  run: ExportRun,
  { chatMid, name, chat, invited, box, pageSize }: FoundChat,
): AsyncGenerator<ExportEntry, ExportedChat, undefined> {
  const files: string[] = [];
  const before = run.counts.messages;
  const told = {
    ...{ chatMid, name },
    ...(chat && { chat }),
    ...(invited && { invited }),
    ...(box?.lastSeenMessageId !== undefined && { lastReadMessageId: box.lastSeenMessageId }),
  };
  let missing: ExportedChat['missing'];
  let readers: ExportedChat['readers'];
  try {
    for (let oldest: Message | undefined; box; ) {
      const part = await partOf(run, chatMid, pageSize, oldest);
      oldest = part.at(-1);
      if (!oldest) break;
      files.unshift(yield* exportPart(run, chatMid, part.reverse()));
    }
    if (box && chat) readers = await readersOf(run, chatMid);
  } catch (error) {
    // The account may have left the chat in the meantime.
    if (!(error instanceof GatewayError) || isPassing(error) || error.endsSession || error.needsRenewal) throw error;
    missing = { reason: error.error ?? 'refused', detail: error.reason };
  }
  return {
    ...told,
    ...(readers && { readers }),
    messages: run.counts.messages - before,
    files,
    ...(missing && { missing }),
  };
}

/** Returns the next messages of a chat, newest first, up to the size of one file. */
async function partOf(run: ExportRun, chatMid: string, pageSize: number, from?: Message): Promise<Message[]> {
  const part: Message[] = [];
  for (let before = from; part.length < MESSAGES; before = part.at(-1)) {
    const count = Math.min(pageSize, PAGE, MESSAGES - part.length);
    const wanted = { count, before, pageSize };
    const { value: page } = await patiently(run, () => historyPages(run.rpc, chatMid, wanted).next());
    if (!page) break;
    part.push(...page);
  }
  return part;
}

async function* exportPart(
  run: ExportRun,
  chatMid: string,
  part: readonly Message[],
): AsyncGenerator<ExportEntry, string, undefined> {
  const messages: ExportedMessage[] = [];
  for (const page of pagesOf(part, 50)) {
    const read = await Promise.all(page.map(async (message) => ({ message, opened: await open(run, message) })));
    run.signal.throwIfAborted();
    for (const { message, opened } of read) {
      const exported = exportedForm(message, opened);
      run.counts.messages += 1;
      if (exported.sealing.state === 'sealed') run.counts.sealedMessages += 1;
      messages.push(isMedia(message) ? { ...exported, media: yield* exportMedia(run, message) } : exported);
    }
    run.report();
  }
  const path = `chats/${chatMid}/${part[0]?.id.padStart(DIGITS, '0')}.json`;
  yield jsonEntry(path, { formatVersion: 1, chatMid, messages } satisfies ExportedMessages);
  return path;
}

/** Opens a message. If its keys cannot be fetched now, tries again for some time. */
const open = ({ rpc, sealing, ports, signal }: ExportRun, message: Message): Promise<OpenedMessage> =>
  openedInTime(() => sealing.open(message), { ports, signal, isOver: () => signal.aborted || !rpc.session });

/** Returns a message in the form of the archive: with its content, or sealed as it came. Keys of media are left out. */
function exportedForm(raw: Message, { media: _keys, sealing, ...opened }: OpenedMessage): ExportedMessage {
  switch (sealing.state) {
    case 'plain':
      return { ...raw, sealing: { state: 'plain' } };
    case 'unopened': {
      const { reason, cause, remedy } = sealing;
      return { ...raw, sealing: { state: 'sealed', reason, cause, remedy } };
    }
    default: {
      const { chunks: _sealed, ...content } = opened;
      const why = sealing.state === 'unproven' ? { cause: sealing.cause, remedy: sealing.remedy } : {};
      return { ...content, sealing: { state: sealing.state, ...why } };
    }
  }
}

/** Returns how far the members of a chat have read: message ids by mid. */
async function readersOf(run: ExportRun, chatMid: string): Promise<Readonly<Record<string, string>>> {
  const [range] = await patiently(run, () => run.rpc.TalkService.getMessageReadRange([chatMid]));
  const read = Object.entries(range?.ranges ?? {});
  return Object.fromEntries(read.map(([mid, ranges]) => [mid, ranges.at(-1)?.endMessageId ?? '0']));
}
