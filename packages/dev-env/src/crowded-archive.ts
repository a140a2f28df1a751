// Has an archive of many files written and read, in a thread of its own. In the thread of a test, the test runner
// follows every promise. An archive has very many of them, so it would take several times as long.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What a reader finds in an archive. */
export interface FoundFiles {
  /** Number of files that the end of the archive tells. */
  readonly told: number;
  /** Number of files that were read. */
  readonly read: number;
  /** The name and the content of the last one. */
  readonly last: readonly [name: string, content: string];
}

/**
 * Returns what a reader finds in an archive of `count` files, of which the last, `account.json`, has the text `last`.
 * @param module the address of the module whose `zipOf` writes the archive
 */
export async function crowdedArchive(module: string, count: number): Promise<FoundFiles> {
  const worker = new Worker(new URL('./crowded-archive-worker.ts', import.meta.url), { workerData: { module, count } });
  const [found]: FoundFiles[] = await once(worker, 'message');
  if (!found) throw new Error(`the thread that wrote ${count} files with ${module} told nothing`);
  return found;
}
