// Runs many commands in one process, because the start of a process takes longer than most commands. The parent sends
// the words of a command, and gets what the command printed. It is the program itself that runs, only its start is not.
import { run } from '../src/main.ts';

export interface Asked {
  readonly args: readonly string[];
  /** Variables for this command only. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

// Each command adds a listener to the streams of the process.
process.stdout.setMaxListeners(0);

const printed = { out: '', err: '' };
process.stdout.write = (text: string | Uint8Array) => keep('out', text);
process.stderr.write = (text: string | Uint8Array) => keep('err', text);

function keep(stream: 'out' | 'err', text: string | Uint8Array): true {
  printed[stream] += String(text);
  return true;
}

const before = { ...process.env };

process.on('message', async ({ args, env = {} }: Asked) => {
  Object.assign(printed, { out: '', err: '' });
  // A command may change the environment of its process: `config` removes the variables of the client.
  process.env = { ...before, ...env };
  const code = await run(args);
  process.send?.({ code, ...printed } satisfies Answered);
});
