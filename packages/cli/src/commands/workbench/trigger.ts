import { type TriggerEvent, triggerEvents } from '@sealpost/contract';
import { Argument, type Command } from 'commander';
import { createOutput } from '../../output.ts';
import { atWorkbench, type WorkbenchOptions, wholeNumber, withWorkbenchOptions } from '../../workbench.ts';

interface TriggerOptions extends WorkbenchOptions {
  readonly account: string;
  readonly code?: string;
  readonly from?: string;
  readonly text?: string;
}

export function addTriggerCommand(program: Command): void {
  withWorkbenchOptions(program.command('trigger'))
    .description("make something happen to an account of a developer's server")
    .addArgument(new Argument('<event>', 'what happens').choices(triggerEvents))
    .requiredOption('--account <account>', 'the user id or mid of the account')
    .option('--code <number>', 'the code of a talkException')
    .option('--from <account>', 'who sends the message')
    .option('--text <text>', 'the text of the message')
    .action(trigger);
}

async function trigger(event: TriggerEvent, { account, code, from, text, ...options }: TriggerOptions): Promise<void> {
  const result = await atWorkbench(options, (workbench) =>
    workbench.trigger({
      ...{ account, event },
      ...(code !== undefined && { code: wholeNumber('--code', code) }),
      ...(from !== undefined && { from }),
      ...(text !== undefined && { text }),
    }),
  );
  const streams = result.streams === 1 ? '1 open stream' : `${result.streams} open streams`;
  createOutput(options).print(`${event} for ${account}, which has ${streams}.`, result);
}
