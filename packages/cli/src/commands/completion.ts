import { type Command, InvalidArgumentError } from 'commander';
import { bashScript, fishScript, zshScript } from '../completion-scripts.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
const shells = Object.keys(scripts).join(', ');

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print the script that completes commands and options in a shell')
    .argument('<shell>', shells, scriptOf)
    .action((script: (program: Command) => string) => void process.stdout.write(script(program)));
}

function scriptOf(text: string): (program: Command) => string {
  for (const [shell, script] of Object.entries(scripts)) if (shell === text) return script;
  throw new InvalidArgumentError(`It must be one of ${shells}.`);
}
