// Commands with which users read the operator's notices.
import { Notices, systemPorts } from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { createOutput, localTime, oneLine } from '../../output.ts';

interface NoticesOptions extends ConnectionOptions {
  readonly language: string;
  readonly country: string;
  readonly after: string;
}

export function addNoticesCommand(program: Command): void {
  withConnectionOptions(program.command('notices'))
    .description('read the notices of the operator, oldest first')
    .option('--language <code>', 'the language, for example ja', 'en')
    .option('--country <code>', 'the country, for example JP', 'US')
    .option('--after <position>', 'only later ones: the nextSeq that an earlier call printed with --json', '0')
    .action(readNotices);
}

async function readNotices({ language, country, after, ...options }: NoticesOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const page = await new Notices(client, 'en_US').read({ language, country, after });
    const now = systemPorts.clock.now();
    const lines = page.notices.map(({ title, body, createdTime }) =>
      [`${localTime(createdTime, now)}  ${oneLine(title)}`, ...(body ? [`  ${oneLine(body)}`] : [])].join('\n'),
    );
    createOutput(options).print(lines.length === 0 ? 'No notices.' : lines.join('\n'), page);
  });
}
