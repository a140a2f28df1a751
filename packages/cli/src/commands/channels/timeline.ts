// The home of an account on the timeline, and its cover picture.
import { writeFile } from 'node:fs/promises';
import { systemPorts } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError } from '../../exit-codes.ts';
import { givenPicture } from '../../media/picture-file.ts';
import { bytesText, createOutput, localTime } from '../../output.ts';
import { resolveRecipient } from '../../people.ts';

interface CoverOptions extends ConnectionOptions {
  readonly to?: string;
}

interface SetCoverOptions extends ConnectionOptions {
  readonly remove?: boolean;
}

export function addTimelineCommands(program: Command): void {
  const timeline = program.command('timeline').description('the home of an account and its cover picture');
  withConnectionOptions(timeline.command('cover', { isDefault: true }))
    .description('show whether a user has a cover, and save it; also without `cover`')
    .argument('[user]', 'a mid or a user id; without one, you')
    .option('--to <file>', 'save the picture there; an existing file is not replaced')
    .action(cover);
  withConnectionOptions(timeline.command('set-cover'))
    .description('set your cover picture, without what a camera wrote into it')
    .argument('[file]', 'a picture')
    .option('--remove', 'remove the cover')
    .action(setCover);
}

async function cover(user: string | undefined, options: CoverOptions): Promise<void> {
  await asUser(options, async ({ contacts, profile }) => {
    const mid = user === undefined ? undefined : await resolveRecipient(contacts, user);
    const found = await profile.cover(mid);
    if (options.to !== undefined) {
      const bytes = await profile.coverPicture(mid);
      if (!bytes) throw new CliError(`${user ?? 'This account'} has no cover.`);
      const saved = await save(options.to, bytes);
      createOutput(options).print(saved, { ...found, path: options.to });
      return;
    }
    const since =
      found.updatedTime === undefined ? '' : ` since ${localTime(found.updatedTime, systemPorts.clock.now())}`;
    const text = found.objectId === undefined ? 'No cover.' : `A cover${since}. To save it, give --to <file>.`;
    createOutput(options).print(text, found);
  });
}

async function save(path: string, bytes: Uint8Array): Promise<string> {
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (error) {
    throw new CliError(`${path} was not written: ${error instanceof Error ? error.message : error}`);
  }
  return `Saved ${path}, ${bytesText(bytes.length)}.`;
}

async function setCover(path: string | undefined, options: SetCoverOptions): Promise<void> {
  const picture = await givenPicture(path, options);
  await asUser(options, async ({ profile }) => {
    const made = picture ? await profile.setCover(picture) : await profile.removeCover();
    createOutput(options).print(picture ? 'Set the cover.' : 'Removed the cover.', made);
  });
}
