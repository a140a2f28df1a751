// The output of the log: it loses no line, and neither a full disk nor a slow reader ends the process or keeps it alive.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';

const system = JSON.stringify(import.meta.resolve('../../../src/platform/kernel/system.ts'));
const logger = JSON.stringify(import.meta.resolve('../../../src/platform/kernel/logger.ts'));

interface Logging {
  /** Number of lines of a thousand characters. A pipe takes 64 without a reader. */
  readonly lines: number;
  /** Code that ends the process. */
  readonly end: string;
}

const processes: Readonly<Record<string, Logging>> = {
  'at the end of its work': { lines: 300, end: '' },
  // Lines that a slow reader has not taken yet may be lost by an exit.
  'by an exit': { lines: 40, end: 'process.exit(0);' },
};

const scriptOf = ({ lines, end }: Logging) => `
  import { createLogger } from ${logger};
  import { systemPorts } from ${system};
  import { setTimeout } from 'node:timers/promises';
  const logger = createLogger('info', systemPorts.timers);
  for (let line = 0; line < ${lines}; line++) {
    logger.info({ line }, 'x'.repeat(1000));
    if (line % 10 === 0) await setTimeout(5);
  }
  process.stderr.write('alive');
  ${end}`;

function start(logging: Logging, output: number | 'pipe') {
  const child = spawn(process.execPath, ['--input-type=module', '-e', scriptOf(logging)], {
    stdio: ['ignore', output, 'pipe'],
  });
  assert.ok(child.stderr);
  return { child, ended: once(child, 'exit'), said: text(child.stderr) };
}

for (const [name, logging] of Object.entries(processes)) {
  describe(`a process that ends ${name}`, () => {
    test('goes on with a log on a full disk, and ends', async () => {
      // Writes to this device fail, as on a full disk.
      const full = openSync('/dev/full', 'w');
      const { ended, said } = start(logging, full);
      closeSync(full);
      assert.deepEqual([(await ended)[0], await said], [0, 'alive']);
    });

    test('writes each line, also for a slow reader', async () => {
      const { child, ended, said } = start(logging, 'pipe');
      assert.ok(child.stdout && child.stderr);
      await once(child.stderr, 'data');
      const lines = (await text(child.stdout)).trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).line).toSorted((a, b) => a - b),
        Array.from({ length: logging.lines }, (_, line) => line),
      );
      assert.deepEqual([(await ended)[0], await said], [0, 'alive']);
    });
  });
}
