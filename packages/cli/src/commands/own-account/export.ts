// `sealpost export`: writes everything that the account can see into one archive.
import { resolve } from 'node:path';
import type { ExportProgress } from '@sealpost/sdk/export';
import type { Command } from 'commander';
import { writeArchive } from '../../archive-file.ts';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { bytesText, createOutput } from '../../output.ts';
import { stepLine } from '../../step-line.ts';

interface ExportOptions extends ConnectionOptions {
  readonly force?: boolean;
}

export function addExportCommand(program: Command): void {
  withConnectionOptions(program.command('export'))
    .description('write everything that your account can see into an archive')
    .argument('<file.zip>', 'the archive to write')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      `
The archive has your profile, settings, contacts, chats, messages, media, sticker packs and devices as JSON and files;
its README.txt explains them. Messages are in it in the clear, as far as this device has their keys: keep it safe.
The file appears when all of it was written.`,
    )
    .action(exportTo);
}

async function exportTo(file: string, options: ExportOptions): Promise<void> {
  const output = createOutput(options);
  const line = stepLine(output);
  const path = resolve(file);
  await asUser(options, async ({ client, sealing }) => {
    // The module is loaded only here, because no other command needs it.
    const { exportAccount, zipOf } = await import('@sealpost/sdk/export');
    const none = { messages: 0, sealedMessages: 0, media: 0, mediaBytes: 0, missingMedia: 0 };
    let last: ExportProgress = { chats: { done: 0, all: 0 }, ...none };
    const onProgress = (progress: ExportProgress): void => {
      last = progress;
      const { chats, messages } = progress;
      line.show({ what: `${chats.done} of ${chats.all} chats, messages`, done: messages });
    };
    const bytes = await writeArchive(path, { force: options.force ?? false }, (signal) =>
      zipOf(exportAccount({ rpc: client, sealing }, { signal, onProgress })),
    ).finally(() => line.end());
    const { chats, ...counts } = last;
    const result = { path, bytes, chats: chats.all, ...counts };
    output.print(textOf(result), result);
  });
}

interface Result extends Omit<ExportProgress, 'chats'> {
  readonly path: string;
  readonly bytes: number;
  readonly chats: number;
}

function textOf({ path, bytes, chats, messages, media, sealedMessages, missingMedia }: Result): string {
  const lines = [`Wrote ${path}, ${bytesText(bytes)}: ${messages} messages of ${chats} chats, ${media} media.`];
  if (sealedMessages > 0) lines.push(`${sealedMessages} messages could not be opened on this device and stay sealed.`);
  if (missingMedia > 0) lines.push(`${missingMedia} media are missing; their messages tell why.`);
  return lines.join('\n');
}
