import { renameSync, writeFileSync } from 'node:fs';
import { systemPorts } from '@sealpost/sdk';
import type { Recorder, SessionFile } from '@sealpost/testing/record';
import { type Command, InvalidArgumentError } from 'commander';
import { checkedUrl } from '../environment.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { writeFault } from '../file-faults.ts';
import { createOutput, type Output, oneLine } from '../output.ts';
import { requireReplaceable } from '../replaceable.ts';

interface RecordOptions {
  readonly target: string;
  readonly port: number;
  readonly host: string;
  readonly out: string;
  readonly brand?: string;
  readonly json?: boolean;
}

/** Milliseconds between two writes of the file while calls arrive. */
const SAVE_EVERY_MS = 2_000;
const DEFAULT_PORT = 8788;

export function addRecordCommand(program: Command): void {
  program
    .command('record')
    .description('record what a client and a gateway say to each other, without secrets, until Ctrl-C')
    .requiredOption('--target <url>', 'address of the gateway')
    .option('--port <port>', 'port for the client; 0 for a free one', portOf, DEFAULT_PORT)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--out <file>', 'file of the session', 'session.json')
    .option('--brand <brand>', 'brand inside header names (or SEALPOST_HEADER_BRAND; default Svc)')
    .option('--json', 'print each exchange as JSON')
    .addHelpText(
      'after',
      `
Point the client at the printed address. Tokens, passwords, PINs, certificates, cookies, keys and signatures are
replaced by placeholders. Texts of messages and names stay: docs/recording.md.`,
    )
    .action(record);
}

/** Reads a port of the command line. */
export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

/** Returns the address of a gateway, which must not have a path. */
function targetOf(text: string): string {
  const url = new URL(checkedUrl(text));
  if (url.pathname === '/' && url.search === '' && url.username === '') return url.origin;
  throw new CliError(
    `"${text}" is more than scheme, host and port. A signature covers the path as the client sends it, so the recorder cannot add one.`,
    exitCodes.usage,
  );
}

async function record(options: RecordOptions): Promise<void> {
  const { startRecorder, writeSession } = await import('@sealpost/testing/record');
  const output = createOutput(options);
  const brand = options.brand ?? process.env.SEALPOST_HEADER_BRAND;
  const target = targetOf(options.target);
  const file = new SessionOnDisk(options.out, writeSession);
  file.check();
  const recorder = await startRecorder({
    ...{ target, port: options.port, host: options.host, ports: systemPorts },
    ...(brand !== undefined && { brand }),
    onExchange({ id, verb, path, endpoint, answer, failure, durationMs }) {
      file.changed = true;
      const name = endpoint ?? `${verb} ${path.split('?')[0]}`;
      const status = answer ? String(answer.status) : (failure ?? '');
      if (output.json) output.print('', { id, name, status: answer?.status, durationMs });
      else output.note(`#${id}  ${oneLine(name)}  ${oneLine(status)}`);
    },
  });
  const saving = systemPorts.timers.every(SAVE_EVERY_MS, () => file.trySave(recorder, output), { background: true });
  output.note(`Recording ${target} at ${recorder.url} into ${options.out}. Ctrl-C stops.`);
  await untilStopped();
  saving.cancel();
  await recorder.close();
  file.changed = true;
  file.save(recorder);
  tellResult(output, recorder, options.out);
}

function tellResult(output: Output, recorder: Recorder, path: string): void {
  const { exchanges, secrets } = recorder.session();
  const replaced = Object.entries(secrets).map(([role, count]) => `${count} ${role}`);
  output.note(`Saved ${exchanges.length} exchanges to ${path}. Replaced: ${replaced.join(', ') || 'nothing'}.`);
}

/** Waits until the user stops the command. */
export const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

/** The file of a session. Each write replaces the whole file in one step, so the file is always complete. */
class SessionOnDisk {
  changed = false;
  #isTold = false;
  readonly #path: string;
  readonly #textOf: (session: SessionFile) => string;

  constructor(path: string, textOf: (session: SessionFile) => string) {
    this.#path = path;
    this.#textOf = textOf;
  }

  /** Checks that the file can be written, so that the command does not fail only after a long recording. */
  check(): void {
    requireReplaceable(this.#path);
    try {
      writeFileSync(`${this.#path}.part`, '', { mode: 0o600 });
    } catch (error) {
      throw writeFault(this.#path, error);
    }
  }

  /** @throws CliError if the file cannot be written */
  save(recorder: Recorder): void {
    if (!this.changed) return;
    try {
      writeFileSync(`${this.#path}.part`, this.#textOf(recorder.session()), { mode: 0o600 });
      renameSync(`${this.#path}.part`, this.#path);
      this.changed = false;
    } catch (error) {
      throw writeFault(this.#path, error);
    }
  }

  /** Saves while the recording goes on. If that fails, tells it once, and the next call tries again. */
  trySave(recorder: Recorder, output: Output): void {
    try {
      this.save(recorder);
      this.#isTold = false;
    } catch (error) {
      if (!this.#isTold) output.note(`${error instanceof Error ? error.message : error} The recording goes on.`);
      this.#isTold = true;
    }
  }
}
