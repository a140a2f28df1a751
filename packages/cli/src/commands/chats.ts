import type { Message, MessageBox } from '@sealpost/contract';
import { limits } from '@sealpost/contract';
import type { Client } from '@sealpost/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../connection.ts';
import { contentOf, messageLine, midsIn } from '../messages.ts';
import { createOutput, localTime, table } from '../output.ts';
import { People, resolveRecipient } from '../people.ts';

interface HistoryOptions extends ConnectionOptions {
  readonly count: number;
  readonly before?: string;
}

const PREVIEW = 50;

export function addChatCommands(program: Command): void {
  withConnectionOptions(program.command('chats'))
    .description('list chats, the most recent first')
    .addHelpText('after', '\nExamples:\n  $ sealpost chats\n  $ sealpost chats --as bob --json')
    .action(listChats);
  withConnectionOptions(program.command('history'))
    .description('print the messages of a chat, the oldest first')
    .argument('<chat>', 'a mid (user, group or room), or a user id')
    .option('-n, --count <number>', 'how many', positive, 20)
    .option('--before <messageId>', 'only messages older than this one')
    .addHelpText('after', '\nExamples:\n  $ sealpost history bob\n  $ sealpost history bob -n 500 --json')
    .action(showHistory);
}

async function listChats(options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client }) => {
    const boxes = (await allBoxes(client)).sort((a, b) => lastTime(b) - lastTime(a));
    const people = new People(client);
    if (!output.json) await people.learn(boxes.map((box) => box.id));
    const rows = boxes.map((box) => {
      const last = box.lastMessages?.[0];
      const preview = last ? contentOf(last).slice(0, PREVIEW) : '';
      return [
        people.nameOf(box.id),
        box.unreadCount ?? '0',
        last ? localTime(last.createdTime, Date.now()) : '',
        preview,
        box.id,
      ];
    });
    const text = rows.length === 0 ? 'No chats yet.' : table(['CHAT', 'UNREAD', 'LAST', 'MESSAGE', 'MID'], rows);
    output.print(text, boxes);
  });
}

async function allBoxes(client: Client): Promise<MessageBox[]> {
  const boxes: MessageBox[] = [];
  for (;;) {
    const after = boxes.at(-1)?.id;
    const page = await client.TalkService.getMessageBoxes({
      ...(after === undefined ? {} : { minChatId: after }),
      activeOnly: false,
      unreadOnly: false,
      messageBoxCountLimit: limits.messageBoxesPerPage.value,
      withUnreadCount: true,
      lastMessagesPerMessageBoxCount: 1,
    });
    boxes.push(...page.messageBoxes);
    if (!page.hasNext || page.messageBoxes.length === 0) return boxes;
  }
}

const lastTime = (box: MessageBox): number => Number(box.lastMessages?.[0]?.createdTime ?? 0);

async function showHistory(chat: string, options: HistoryOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client, url, mid }) => {
    const chatMid = await resolveRecipient(client, url, chat);
    const messages = (await newestMessages(client, chatMid, options.count, options.before)).reverse();
    const people = new People(client);
    if (!output.json) await people.learn(midsIn(messages));
    const lines = messages.map((message) => messageLine(message, { viewer: mid, people, options, now: Date.now() }));
    output.print(lines.length === 0 ? 'No messages.' : lines.join('\n'), messages);
  });
}

/** Newest first, page after page, until there are enough of them. */
async function newestMessages(
  client: Client,
  messageBoxId: string,
  count: number,
  before?: string,
): Promise<Message[]> {
  const messages: Message[] = [];
  let oldest = before;
  while (messages.length < count) {
    const messagesCount = Math.min(count - messages.length, limits.messagesPerPage.value);
    const page =
      oldest === undefined
        ? await client.TalkService.getRecentMessagesV2(messageBoxId, messagesCount)
        : await client.TalkService.getPreviousMessagesV2WithRequest({
            messageBoxId,
            endMessageId: { messageId: oldest },
            messagesCount,
          });
    messages.push(...page);
    oldest = page.at(-1)?.id;
    if (oldest === undefined) break;
  }
  return messages;
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
