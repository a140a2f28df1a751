import type { Readable } from 'node:stream';
import { until } from '@sealpost/dev-env/until';

/**
 * Waits until strace is attached to all threads of the process. After attaching to the last thread, strace prints a
 * line.
 */
export async function attached(stderr: Readable): Promise<void> {
  let told = '';
  stderr.on('data', (text) => {
    told += text;
  });
  await until(() => /Process \d+ attached/.test(told), 'strace has attached itself');
}
