// Commands that change only this account's view of a chat: read, hide, show, clear. Also the command that shows who has
// read a chat.
import type { MethodResult } from '@sealpost/contract';
import { type RpcClient, systemPorts } from '@sealpost/sdk';
import type { Command } from 'commander';
import { confirmed } from '../../confirm.ts';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError } from '../../exit-codes.ts';
import { messageId } from '../../find-message.ts';
import { resolveAny } from '../../groups.ts';
import { createOutput, localTime } from '../../output.ts';
import { People } from '../../people.ts';
import { table } from '../../table.ts';

interface UpToOptions extends ConnectionOptions {
  readonly upTo?: string;
}

interface ClearOptions extends UpToOptions {
  readonly yes?: boolean;
}

interface HideOptions extends ConnectionOptions {
  readonly contact?: boolean;
}

type Ranges = MethodResult<'TalkService.getMessageReadRange'>[number]['ranges'][string];

const CHAT_IS = 'a mid, a user id, or the name of a group';

export function addChatStateCommands(program: Command): void {
  const command = (name: string, description: string): Command =>
    withConnectionOptions(program.command(name)).description(description).argument('<chat>', CHAT_IS);
  command('read', 'mark a chat as read, up to the newest message or the given one')
    .option('--up-to <message>', 'id of the newest message that you have read')
    .action(read);
  command('readers', 'list how far the members of a chat have read').action(readers);
  command('hide', 'hide a chat until a newer message comes')
    .option('--contact', 'hide the user in the list of contacts instead')
    .action((chat: string, options: HideOptions) => setHidden(chat, options, true));
  command('show', 'show a hidden chat again')
    .option('--contact', 'show the user in the list of contacts again instead')
    .action((chat: string, options: HideOptions) => setHidden(chat, options, false));
  command('clear', 'remove the messages of a chat for you alone, after a confirmation')
    .option('--up-to <message>', 'only up to this message id')
    .option('--yes', 'do not ask')
    .action(clear);
}

async function read(chat: string, options: UpToOptions): Promise<void> {
  await asUser(options, async ({ client, ...verbs }) => {
    const chatMid = await resolveAny(verbs, chat);
    const upTo = options.upTo === undefined ? await newestMessage(client, chatMid) : messageId(options.upTo);
    if (upTo === undefined) throw new CliError(`The chat with ${chat} has no messages.`);
    await client.TalkService.sendChatChecked(client.nextReqSeq(), chatMid, upTo);
    createOutput(options).print(`Read ${chat} up to ${upTo}.`, { chatMid, messageId: upTo });
  });
}

async function newestMessage(client: RpcClient, chatMid: string): Promise<string | undefined> {
  const [newest] = await client.TalkService.getRecentMessagesV2(chatMid, 1);
  return newest?.id;
}

async function readers(chat: string, options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client, ...verbs }) => {
    const chatMid = await resolveAny(verbs, chat);
    const [range] = await client.TalkService.getMessageReadRange([chatMid]);
    const found = Object.entries(range?.ranges ?? {}).flatMap(([mid, ranges]) => lastOf(mid, ranges));
    const people = new People(verbs);
    if (!output.json) await people.learn(found.map(({ mid }) => mid));
    const rows = found.map(({ mid, upTo, time }) => [
      people.nameOf(mid),
      upTo,
      localTime(time, systemPorts.clock.now()),
      mid,
    ]);
    output.print(rows.length === 0 ? 'Nobody yet.' : table(['NAME', 'UP TO', 'AT', 'MID'], rows), found);
  });
}

const lastOf = (mid: string, ranges: Ranges): { mid: string; upTo: string; time: string }[] => {
  const last = ranges.at(-1);
  return last ? [{ mid, upTo: last.endMessageId, time: last.endTime }] : [];
};

async function setHidden(chat: string, options: HideOptions, hidden: boolean): Promise<void> {
  await asUser(options, async ({ client, ...verbs }) => {
    const mid = await resolveAny(verbs, chat);
    if (options.contact) await verbs.contacts.setHidden(mid, hidden);
    else await client.TalkService.setChatHiddenStatus({ reqSeq: client.nextReqSeq(), chatMid: mid, hidden });
    createOutput(options).print(`${hidden ? 'Hid' : 'Shows'} ${chat}${hidden ? '' : ' again'}.`, { mid, hidden });
  });
}

async function clear(chat: string, options: ClearOptions): Promise<void> {
  const upTo = options.upTo === undefined ? '0' : messageId(options.upTo);
  await asUser(options, async ({ client, ...verbs }) => {
    const chatMid = await resolveAny(verbs, chat);
    const question = `Remove the messages of ${chat} from your account? Others keep theirs.`;
    const cleared = options.yes === true || (await confirmed(question, 'clear with --yes'));
    if (cleared) await client.TalkService.sendChatRemoved(client.nextReqSeq(), chatMid, upTo);
    createOutput(options).print(cleared ? `Cleared ${chat}.` : `Kept ${chat}.`, { chatMid, cleared });
  });
}
