// Measures the cost of a client with local state on the client's machine. The account has many chats at the start. Then
// messages arrive, and at each change the client's list of chats is read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Client, type ClientStore, createClient, memoryStore } from '@sealpost/sdk';
import { folderStore } from '@sealpost/sdk/node';
import { credentialOf } from './gateway.ts';

export interface ClientOrder {
  readonly kind: 'client';
  readonly port: number;
  /**
   * The number of chats that the replica must have. This makes sure that an empty replica does not count as a fast one.
   */
  readonly chats: number;
  readonly messages: number;
  readonly perSecond: number;
}

export interface ClientMeasure {
  readonly store: 'memory' | 'folder';
  /**
   * Milliseconds until a replica with an empty store has everything. `againMs` is the time until a replica with a
   * filled store shows its chats.
   */
  readonly firstMs: number;
  readonly againMs: number;
  /** Processor time of all threads of the client for one message, in microseconds. */
  readonly cpuMicros: number;
}

export async function runClient(order: ClientOrder): Promise<ClientMeasure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sealpost-bench-client-'));
  try {
    return [await measure(order, 'memory', memoryStore()), await measure(order, 'folder', folderStore(folder))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(order: ClientOrder, name: ClientMeasure['store'], store: ClientStore): Promise<ClientMeasure> {
  const url = `http://127.0.0.1:${order.port}`;
  const first = createClient({ url, store });
  const { mid } = await first.login(credentialOf(0));

  const firstMs = await timeOf(() => first.synced());
  requireChats(first, order.chats);
  await first.close();
  const client = createClient({ url, store });
  const againMs = await timeOf(async () => {
    await client.open();
    requireChats(client, order.chats);
  });
  await client.synced();
  const cpuMicros = await follow(order, client, mid);
  await client.close();
  return { store: name, firstMs, againMs, cpuMicros };
}

/**
 * Receives messages that a worker thread sends at a fixed rate. The processor time of the worker thread does not count.
 */
async function follow(order: ClientOrder, client: Client, mid: string): Promise<number> {
  let seen = 0;
  const unlisten = client.replica.onChange(() => {
    seen += client.replica.chats().length;
  });
  const workerData = { ...order, mid };
  const cpu = process.cpuUsage();
  const worker = new Worker(new URL('./client-sender.ts', import.meta.url), { workerData });
  const sending = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  await client.synced();
  const { user, system } = process.cpuUsage(cpu);
  unlisten();
  if (seen < order.chats) throw new Error('the replica told of no change');
  await worker.terminate();
  return (user + system - sending) / order.messages;
}

function requireChats(client: Client, chats: number): void {
  const found = client.replica.chats().length;
  if (found < chats) throw new Error(`${found} chats, not ${chats}`);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
