import type { Universe } from '@sealpost/contract/workbench';
import type { Command } from 'commander';
import { createOutput } from '../../output.ts';
import { table } from '../../table.ts';
import { atWorkbench, type WorkbenchOptions, withWorkbenchOptions } from '../../workbench.ts';

export function addUniverseCommands(program: Command): void {
  const universe = program.command('universe').description("save, fork and reset the state of a developer's server");
  withWorkbenchOptions(universe.command('save'))
    .description('save the state: accounts, messages, media, clock')
    .argument('<name>', 'letters, digits, - and _')
    .action(save);
  withWorkbenchOptions(universe.command('list')).description('list the saved states').action(list);
  withWorkbenchOptions(universe.command('reset'))
    .description('go back to a saved state, at the same address')
    .argument('[name]', 'a saved state; "start" is the one after the first start', 'start')
    .action(reset);
  withWorkbenchOptions(universe.command('fork'))
    .description('run a second server with a saved state, until the first one stops')
    .argument('<name>', 'a saved state')
    .action(fork);
}

async function save(name: string, options: WorkbenchOptions): Promise<void> {
  const saved = await atWorkbench(options, (workbench) => workbench.saveUniverse({ name }));
  createOutput(options).print(`Saved ${saved.name}. Go back with "sealpost universe reset ${saved.name}".`, saved);
}

const rowOf = ({ name, savedTime, clock }: Universe): string[] => [name, savedTime, clock];

async function list(options: WorkbenchOptions): Promise<void> {
  const { universes } = await atWorkbench(options, (workbench) => workbench.listUniverses());
  const text =
    universes.length === 0 ? 'No saved states yet.' : table(['NAME', 'SAVED', 'CLOCK'], universes.map(rowOf));
  createOutput(options).print(text, universes);
}

async function reset(name: string, options: WorkbenchOptions): Promise<void> {
  const universe = await atWorkbench(options, (workbench) => workbench.resetUniverse({ universe: name }));
  createOutput(options).print(`The server is back at ${universe.name}. Its clients must connect again.`, universe);
}

async function fork(name: string, options: WorkbenchOptions): Promise<void> {
  const forked = await atWorkbench(options, (workbench) => workbench.forkUniverse({ universe: name }));
  createOutput(options).print(`A second server with the state ${name} runs at ${forked.url}.`, forked);
}
