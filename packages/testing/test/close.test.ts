// A program that closes its server ends afterwards, not before.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('closing a server on the real clock keeps the process alive until the server has stopped', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'closing-program.ts')]);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  assert.deepEqual([code, text], [0, 'closed\n']);
});
