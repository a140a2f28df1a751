// Runs programs in another language. They make the published vectors without any code of the packages.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The path of a Python with the modules that these programs need. The test command finds or installs it. */
export const python = process.env.SEALPOST_TEST_PYTHON;
export const withPython = { skip: !python && 'no SEALPOST_TEST_PYTHON' };

/** Runs a program of scripts/ and returns its output. */
export function runProgram(name: string, arg: '--check' | '--open', input = ''): string {
  const program = fileURLToPath(new URL(`../../../scripts/${name}`, import.meta.url));
  const run = spawnSync(python as string, [program, arg], { input, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
}
