import type { MessageBox } from '@sealpost/contract';
import { limits } from '@sealpost/contract';
import { type OpenedMessage, type RpcClient, type SealingClient, systemPorts } from '@sealpost/sdk';
import { type Command, InvalidArgumentError } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { messageId } from '../../find-message.ts';
import { resolveAny } from '../../groups.ts';
import { contentOf, type LineOptions, messageLine, midsIn, withLineOptions } from '../../messages.ts';
import { createOutput, localTime } from '../../output.ts';
import { People } from '../../people.ts';
import { cut, table } from '../../table.ts';

interface HistoryOptions extends LineOptions {
  readonly count: number;
  readonly before?: string;
}

const PREVIEW = 50;

export function addChatCommands(program: Command): void {
  withConnectionOptions(program.command('chats')).description('list chats, most recent first').action(listChats);
  withLineOptions(withConnectionOptions(program.command('history')))
    .description('print the messages of a chat, oldest first')
    .argument('<chat>', 'a mid (user, group or room), a user id, or the name of a group')
    .option('-n, --count <number>', 'how many', positive, 20)
    .option('--before <messageId>', 'only messages older than this one', messageId)
    .action(showHistory);
}

async function listChats(options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client, sealing, mid, ...verbs }) => {
    const boxes = (await opened(sealing, await allBoxes(client))).sort((a, b) => lastTime(b) - lastTime(a));
    const people = new People(verbs);
    if (!output.json)
      await people.learn(boxes.flatMap((box) => [box.id, ...midsIn(box.lastMessages?.slice(0, 1) ?? [])]));
    const nameOf = (who: string) => (who === mid ? 'you' : people.nameOf(who));
    const rows = boxes.map((box) => {
      const last = box.lastMessages?.[0];
      const preview = last ? cut(contentOf(last, nameOf), PREVIEW) : '';
      return [
        people.nameOf(box.id),
        box.unreadCount ?? '0',
        last ? localTime(last.createdTime, systemPorts.clock.now()) : '',
        preview,
        box.id,
      ];
    });
    const text = rows.length === 0 ? 'No chats yet.' : table(['CHAT', 'UNREAD', 'LAST', 'MESSAGE', 'MID'], rows);
    output.print(text, boxes);
  });
}

interface OpenedBox extends MessageBox {
  readonly lastMessages?: OpenedMessage[];
}

const opened = (sealing: SealingClient, boxes: readonly MessageBox[]): Promise<OpenedBox[]> =>
  Promise.all(
    boxes.map(async ({ lastMessages, ...box }) =>
      lastMessages ? { ...box, lastMessages: await sealing.openAll(lastMessages) } : box,
    ),
  );

async function allBoxes(client: RpcClient): Promise<MessageBox[]> {
  const boxes: MessageBox[] = [];
  for (;;) {
    const after = boxes.at(-1)?.id;
    const page = await client.TalkService.getMessageBoxes({
      ...(after === undefined ? {} : { minChatId: after }),
      activeOnly: false,
      unreadOnly: false,
      messageBoxCountLimit: limits.syncMessageBoxes.value,
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
  await asUser(options, async ({ sealing, mid, ...verbs }) => {
    const chatMid = await resolveAny(verbs, chat);
    const messages = (await sealing.history(chatMid, options.count, options.before)).reverse();
    const people = new People(verbs);
    if (!output.json) await people.learn(midsIn(messages));
    const lines = messages.map((message) =>
      messageLine(message, { viewer: mid, people, options, now: systemPorts.clock.now() }),
    );
    output.print(lines.length === 0 ? 'No messages.' : lines.join('\n'), messages);
  });
}

function positive(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
