// The programs of a page of the documents, run as the page says: in a folder outside of the project that links to the SDK.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@sealpost/dev-env/until';

export interface RunningProgram {
  readonly child: ChildProcess;
  /** What the program wrote to stdout and stderr. */
  output(): string;
  /** Waits for the end of the program. Returns its exit code; null if a signal ended it. */
  ended(): Promise<number | null>;
  /** Waits until the program has written a text. Throws if it ends before. */
  wrote(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
}

export class DocsPrograms {
  readonly #page: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'sealpost-docs-'));
  readonly #running = new Set<ChildProcess>();

  /** @param page the name of the page in `docs` */
  constructor(page: string) {
    this.#page = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
    writeFileSync(join(this.#folder, 'package.json'), '{"type":"module"}');
    mkdirSync(join(this.#folder, 'node_modules/@sealpost'), { recursive: true });
    this.link('@sealpost/sdk', join(import.meta.dirname, '../../sdk'));
  }

  /** Makes a package available to the programs. */
  link(name: string, path: string): void {
    symlinkSync(path, join(this.#folder, 'node_modules', name));
  }

  /** Returns the first program of a chapter. */
  read(chapter: string): string {
    const text = this.#page.split('\n## ').find((part) => part.startsWith(`${chapter}\n`)) ?? '';
    const [, program] = /```ts\n([\s\S]*?)```/.exec(text) ?? [];
    assert.ok(program, chapter);
    return program;
  }

  write(name: string, program: string): void {
    writeFileSync(join(this.#folder, name), program);
  }

  start(name: string, env: Readonly<Record<string, string>> = {}): RunningProgram {
    const child = spawn(process.execPath, [name], { cwd: this.#folder, env: { ...process.env, ...env } });
    this.#running.add(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return {
      child,
      output: () => text,
      ended: () => ended,
      async wrote(wanted) {
        await until(() => text.includes(wanted) || child.exitCode !== null, `${name} writes "${wanted}"`);
        assert.ok(text.includes(wanted), text);
      },
      kill(signal) {
        child.kill(signal);
        return ended;
      },
    };
  }

  /** Ends all programs, and deletes their folder. */
  dispose(): void {
    for (const child of this.#running) child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
