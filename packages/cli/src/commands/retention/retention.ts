// `retention`: shows how many messages and media would be removed if they were kept for a number of days, and orders
// their removal.
import type { AdminResult } from '@sealpost/sdk/admin';
import { type Command, InvalidArgumentError } from 'commander';
import { type Admin, type AdminOptions, adminOf, withAdminOptions } from '../../admin.ts';
import { confirmed } from '../../confirm.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { bytesText, createOutput } from '../../output.ts';
import { table } from '../../table.ts';

interface RetentionOptions extends AdminOptions {
  readonly days?: number;
  readonly media?: boolean;
  readonly run?: boolean;
  readonly yes?: boolean;
}

type Preview = AdminResult<'retentionPreview'>;
type Size = Pick<Preview, 'messages' | 'objects' | 'bytes'>;

export function addRetentionCommand(program: Command): void {
  withAdminOptions(program.command('retention'))
    .description('count the messages and media that are older than some days, or remove them, with the admin token')
    .option('--days <n>', 'days that messages would be kept; without it, the setting message-days', daysOf)
    .option('--media', 'media alone, whose messages stay')
    .option('--run', 'remove them, after a confirmation; the server does so in small steps')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nWithout --run nothing is removed. The settings message-days and media-days remove regularly.',
    )
    .action(retention);
}

/** Returns the number of days that an option gives. */
export function daysOf(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > 36_500)
    throw new InvalidArgumentError('A whole number from 1 to 36500.');
  return Number(text);
}

async function retention(options: RetentionOptions): Promise<void> {
  const { days, media, run } = options;
  if (run && days === undefined) throw new CliError('--run needs --days: how old must it be to go?', exitCodes.usage);
  const admin = await adminOf(options);
  const preview = await admin.retentionPreview(days === undefined ? {} : { days });
  const output = createOutput(options);
  if (!run) return output.print(media ? mediaText(preview) : previewText(preview), preview);
  const order = await ordered(admin, preview, options);
  const removing = `${goingText(preview, media)} are removed from now on, in small steps.`;
  const told = order ? `${removing} sealpost retention --days ${days} counts what is left.` : 'Nothing is removed.';
  output.print(told, { ...preview, ...(order && { order }) });
}

/** Asks the operator to confirm, and orders the removal. Returns undefined if the operator does not confirm. */
async function ordered(
  admin: Admin,
  preview: Preview,
  { media, yes }: RetentionOptions,
): Promise<AdminResult<'runRetention'> | undefined> {
  const { days } = preview;
  const question = `Remove ${goingText(preview, media)}, older than ${days} days, at ${admin.url}? This cannot be undone.`;
  if (!yes && !(await confirmed(question, 'remove with --yes'))) return undefined;
  return admin.runRetention({ days, what: media ? 'media' : 'messages' });
}

const goingText = ({ messages, objects, bytes, olderMedia }: Preview, media = false): string =>
  media
    ? `${olderMedia.objects} objects with ${bytesText(olderMedia.bytes)}`
    : `${messages} messages and ${objects} objects with ${bytesText(bytes)}`;

const mediaText = ({ days, olderMedia }: Preview): string =>
  `${olderMedia.objects} objects with ${olderMedia.bytes} bytes are older than ${days} days. Nothing was removed.`;

function previewText(preview: Preview): string {
  const { days, messageDays, mediaDays, byAge, largestChats } = preview;
  const kept = `Messages are kept ${spanText(messageDays)}, media ${mediaDays === 0 ? 'as long as their messages' : spanText(mediaDays)}.`;
  if (days === 0) return `${kept} --days counts what another number of days would remove.`;
  const lines = [kept, `${goingText(preview)} are older than ${days} days. Nothing was removed.`];
  if (preview.messages > 0) {
    lines.push(
      '',
      table(
        ['OLDER THAN', ...SIZES],
        byAge.filter(isSome).map((age) => [`${age.fromDays} days`, ...cells(age)]),
      ),
    );
    lines.push(
      '',
      table(
        ['CHAT', ...SIZES],
        largestChats.map((chat) => [chat.chatMids.join(' '), ...cells(chat)]),
      ),
    );
  }
  return lines.join('\n');
}

const SIZES = ['MESSAGES', 'OBJECTS', 'BYTES'];
const isSome = ({ messages }: Size): boolean => messages > 0;
const cells = ({ messages, objects, bytes }: Size): string[] => [String(messages), String(objects), bytesText(bytes)];
const spanText = (days: number): string => (days === 0 ? 'for ever' : `${days} days`);
