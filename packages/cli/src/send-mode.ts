// The options that decide whether a message is sealed, and the report about a sent message.
import { plainReasons, type SendMode, type SentMessage } from '@sealpost/sdk';
import type { Command } from 'commander';
import { CliError, exitCodes } from './exit-codes.ts';
import type { Output } from './output.ts';

export interface ModeOptions {
  readonly sealed?: boolean;
  readonly plain?: boolean;
}

export const withModeOptions = (command: Command): Command =>
  command
    .option('--sealed', 'send sealed; fail if the chat takes it only in the clear')
    .option(
      '--plain',
      'send in the clear; fail if the chat takes only sealed messages. Works for this message even to a verified contact or into a chat that was sealed before',
    );

export function modeOf({ sealed, plain }: ModeOptions): SendMode {
  if (sealed && plain) throw new CliError('Give --sealed or --plain, not both.', exitCodes.usage);
  return sealed ? 'sealed' : plain ? 'plain' : 'auto';
}

export function reportSent(output: Output, text: string, { message, sealed, plainBecause }: SentMessage): void {
  const how = plainBecause === undefined ? '.' : `, in the clear: ${plainReasons[plainBecause].cause}.`;
  output.print(text + how, { ...message, sealed, ...(plainBecause === undefined ? {} : { plainBecause }) });
}
