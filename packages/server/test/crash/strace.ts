import type { Readable } from 'node:stream';
import { until } from '@sealpost/dev-env/until';

/** Waits until strace has all threads of the process: it says so once, after the last of them. */
export async function attached(stderr: Readable): Promise<void> {
  let told = '';
  stderr.on('data', (text) => {
    told += text;
  });
  await until(() => /Process \d+ attached/.test(told), 'strace has attached itself');
}
