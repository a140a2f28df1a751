import type { Command } from 'commander';
import { createOutput } from '../../output.ts';
import { atWorkbench, type WorkbenchOptions, withWorkbenchOptions } from '../../workbench.ts';

export function addClockCommands(program: Command): void {
  const clock = program.command('clock').description("show or move the clock of a developer's server");
  withWorkbenchOptions(clock.command('show')).description('show the time of the server').action(show);
  withWorkbenchOptions(clock.command('advance'))
    .description('move a virtual clock forward; every timer on the way fires')
    .argument('<span>', 'for example 90s, 15m, 25h or 7d')
    .addHelpText('after', '\nThe server needs "sealpost dev --clock virtual".')
    .action(advance);
}

async function show(options: WorkbenchOptions): Promise<void> {
  const clock = await atWorkbench(options, (workbench) => workbench.showClock());
  createOutput(options).print(`${clock.now} (${clock.mode})`, clock);
}

async function advance(by: string, options: WorkbenchOptions): Promise<void> {
  const clock = await atWorkbench(options, (workbench) => workbench.advanceClock({ by }));
  createOutput(options).print(`It is ${clock.now} now.`, clock);
}
