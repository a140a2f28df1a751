import type { Readable } from 'node:stream';
import { until } from '@sealpost/dev-env/until';

/** Waits until strace is attached to all threads of the process. It prints one line after the last thread. */
export async function attached(stderr: Readable): Promise<void> {
  let told = '';
  stderr.on('data', (text) => {
    told += text;
  });
  await until(() => /Process \d+ attached/.test(told), 'strace has attached itself');
}
