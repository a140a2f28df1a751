import type { Command } from 'commander';
import { type AdminOptions, adminOf, withAdminOptions } from '../../admin.ts';
import { createOutput } from '../../output.ts';
import { daysOf } from '../retention/retention.ts';

interface ExpiredOptions extends AdminOptions {
  readonly days: number;
}

export function addMediaCommands(program: Command): void {
  const media = program.command('media').description('media that the server keeps, with the admin token');
  withAdminOptions(media.command('expired'))
    .description('count what the setting media-days would remove, as retention --media does; removes nothing')
    .requiredOption('--days <n>', 'days that media of messages would be kept', daysOf)
    .action(expired);
}

async function expired(options: ExpiredOptions): Promise<void> {
  const found = await (await adminOf(options)).countExpiredMedia({ days: options.days });
  const { objects, bytes, days } = found;
  const told = `${objects} objects with ${bytes} bytes are older than ${days} days. Nothing was removed.`;
  createOutput(options).print(told, found);
}
