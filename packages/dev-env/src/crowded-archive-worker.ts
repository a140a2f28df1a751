// The thread of `crowdedArchive`.
import { buffer } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { fromBufferPromise } from 'yauzl';
import type { FoundFiles } from './crowded-archive.ts';

const { module, count }: { module: string; count: number } = workerData;

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* all;
}

/** A file with its name and content, under the names that the SDK and the server have for them. */
const file = (name: string, content: AsyncGenerator<Uint8Array>) => ({ path: name, content, name, input: content });

async function* files() {
  for (let number = 1; number < count; number += 1) yield file(`media/${number}.jpg`, pieces());
  yield file('account.json', pieces(Buffer.from('last')));
}

const { zipOf }: { zipOf: (all: ReturnType<typeof files>) => AsyncGenerator<Uint8Array> } = await import(module);
const archive: Uint8Array[] = [];
for await (const piece of zipOf(files())) archive.push(piece);
const zip = await fromBufferPromise(Buffer.concat(archive), { lazyEntries: true, autoClose: false });
let read = 0;
let last: FoundFiles['last'] = ['', ''];
for await (const entry of zip.eachEntry()) {
  read += 1;
  if (read === count) last = [entry.fileName, String(await buffer(await zip.openReadStreamPromise(entry)))];
}
const found: FoundFiles = { told: zip.entryCount, read, last };
parentPort?.postMessage(found);
