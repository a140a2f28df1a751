// A worker thread that sends messages to one user at a fixed rate. At the end, it reports the processor time that it
// used.
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createRpcClient } from '@sealpost/sdk';
import type { ClientOrder } from './client-load.ts';
import { credentialOf } from './gateway.ts';

const { port, mid, messages, perSecond } = workerData as ClientOrder & { readonly mid: string };
const client = createRpcClient({ url: `http://127.0.0.1:${port}` });
await client.login(credentialOf(1));
const begun = performance.now();
for (let sent = 0; sent < messages; sent++) {
  await pause(Math.max(0, begun + (sent * 1000) / perSecond - performance.now()));
  await client.send({ to: mid, text: `message ${sent}`, contentType: 0 });
}
client.close();
const { user, system } = process.threadCpuUsage();
parentPort?.postMessage(user + system);
