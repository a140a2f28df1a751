import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { findMessage } from '../../find-message.ts';
import { fileName } from '../../media/file-name.ts';
import { requireFree, saveMedia } from '../../media/save-media.ts';
import { transfer } from '../../media/transfer.ts';
import { bytesText, createOutput } from '../../output.ts';

interface DownloadOptions extends ConnectionOptions {
  readonly to?: string;
  readonly force?: boolean;
}

export function addDownloadCommand(program: Command): void {
  withConnectionOptions(program.command('download'))
    .description('save the image, video, sound or file of a message')
    .argument('<message>', 'message id, as listen and history print it')
    .option('--to <path>', 'the file to write, or a folder for it; without it, the name that the sender gave')
    .option('--force', 'replace an existing file')
    .addHelpText(
      'after',
      `
The file appears when all of it has arrived and has been checked. A download that was interrupted continues when the
same command is given again.`,
    )
    .action(download);
}

async function download(id: string, options: DownloadOptions): Promise<void> {
  const output = createOutput(options);
  const force = options.force ?? false;
  await asUser(options, async ({ client, sealing }) => {
    const message = await findMessage(client, id);
    const saved = await transfer(output, `message ${id}`, async (control) => {
      const media = await client.media(sealing).open(message, control);
      const name = fileName(media.name, media.kind, id);
      control.label(name);
      const path = await pathFor(options.to, name);
      await requireFree(path, { force, to: true });
      await saveMedia(media, path, { force, to: true, messageId: id });
      return { message: id, path: resolve(path), size: media.size, sealed: media.sealed, kind: media.kind };
    });
    output.print(`Saved ${saved.path}, ${bytesText(saved.size)}.`, saved);
  });
}

/** Returns the path to write to. If `to` is a folder, this is a file with the given name in that folder. */
async function pathFor(to: string | undefined, name: string): Promise<string> {
  if (to === undefined) return name;
  if (to === '') throw new CliError('--to is empty: name a file or a folder.', exitCodes.usage);
  const isFolder = /[/\\]$/.test(to) || (await stat(to).catch(() => undefined))?.isDirectory();
  return isFolder ? join(to, name) : to;
}
