// Transfers objects, several at a time. Measures the bytes per second, and the largest memory of the server during the
// transfers.
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cpuSeconds, residentKib } from './process-usage.ts';

export interface TransferOrder {
  readonly kind: 'transfer';
  readonly port: number;
  readonly pid: number;
  readonly direction: 'upload' | 'download';
  /** The paths of the objects. There is one transfer for each path, and all transfers run at the same time. */
  readonly paths: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** The size of each object in bytes. */
  readonly bytes: number;
}

export interface TransferMeasure {
  readonly mbPerSecond: number;
  /** The processor time that the server needs for 100 MB, in milliseconds. */
  readonly cpuMs: number;
  readonly residentMib: number;
}

const MB = 1e6;
const BLOCK = Buffer.alloc(256 * 1024, 'sealpost');
const LOOK_MS = 50;

function* blocks(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= BLOCK.length) yield left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK;
}

async function answerOf(call: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  call.once('response', resolve).once('error', reject);
  return promise;
}

async function transfer(order: TransferOrder, path: string, agent: Agent): Promise<void> {
  const { port, direction, bytes } = order;
  const upload = direction === 'upload';
  const headers = { ...order.headers, ...(upload && { 'Content-Length': bytes }) };
  const call = request({ host: '127.0.0.1', port, path, agent, method: upload ? 'POST' : 'GET', headers });
  const answered = answerOf(call);
  if (upload) await pipeline(Readable.from(blocks(bytes), { objectMode: false, highWaterMark: BLOCK.length }), call);
  else call.end();
  const answer = await answered;
  let received = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) received += piece.length;
  if (answer.statusCode !== (upload ? 201 : 200)) throw new Error(`${direction} ${path}: ${answer.statusCode}`);
  if (!upload && received !== bytes) throw new Error(`${path} brought ${received} bytes, not ${bytes}`);
}

export async function runTransfers(order: TransferOrder): Promise<TransferMeasure> {
  const { pid, paths, bytes } = order;
  const agent = new Agent();
  let resident = 0;
  const look = (): void => {
    resident = Math.max(resident, residentKib(pid));
  };
  const watch = setInterval(look, LOOK_MS);
  const begun = performance.now();
  const before = cpuSeconds(pid);
  try {
    await Promise.all(paths.map((path) => transfer(order, path, agent)));
  } finally {
    clearInterval(watch);
    agent.destroy();
  }
  look();
  const megabytes = (paths.length * bytes) / MB;
  return {
    mbPerSecond: megabytes / ((performance.now() - begun) / 1000),
    cpuMs: ((cpuSeconds(pid) - before) / megabytes) * 100 * 1000,
    residentMib: resident / 1024,
  };
}
