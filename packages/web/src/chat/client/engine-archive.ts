// Makes the archive of the account. It is written piece by piece into a file that only this site sees, so it may be
// larger than the memory. A page then saves that file where the person wants it.
import { type Client, GatewayError, NetworkError } from '@sealpost/sdk';
import { type ExportProgress, exportAccount, zipOf } from '@sealpost/sdk/export';
import { ARCHIVE, removeArchive } from './engine-storage.ts';
import type { ArchiveFailure, ArchiveState } from './protocol.ts';

/** How often pages are told how far the archive is. */
const TELL_MS = 200;

declare global {
  interface FileSystemFileHandle {
    /** Opens the file for writing in place. Only workers have it. */
    createSyncAccessHandle(): Promise<WritableFile>;
  }
}

interface WritableFile {
  write(bytes: Uint8Array): number;
  flush(): void;
  close(): void;
}

/** The error for a window that may not keep files, such as a private one. */
class NoPlaceError extends Error {}

interface Deps {
  client(): Client;
  tell(archive: ArchiveState | undefined): void;
}

export type ArchiveVerbs = ReturnType<typeof createArchives>;

/** Returns the verbs for the archive. At most one is made at a time, and at most one is kept. */
export function createArchives({ client, tell }: Deps) {
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  async function make(signal: AbortSignal): Promise<void> {
    const told = inIntervals((progress) => tell({ state: 'running', progress }));
    tell({ state: 'running' });
    try {
      const { rpc, sealing } = client();
      await removeArchive();
      const entries = exportAccount({ rpc, sealing }, { signal, onProgress: told.tell });
      const bytes = await write(zipOf(entries), signal);
      tell({ state: 'ready', bytes, ...(told.last && { progress: told.last }) });
    } catch (error) {
      await removeArchive();
      tell(signal.aborted ? undefined : { state: 'failed', ...failureOf(error) });
    } finally {
      told.end();
    }
  }

  /** Ends the making of an archive, and removes what there is of it. */
  async function remove(): Promise<void> {
    running?.stop.abort();
    await running?.ended;
    await removeArchive();
    tell(undefined);
  }

  return {
    /** Makes the archive. The status of the engine tells how far it is, and how it ended. */
    async make(): Promise<void> {
      if (running) return;
      const stop = new AbortController();
      const ended = make(stop.signal).finally(() => {
        running = undefined;
      });
      running = { stop, ended };
      await ended;
    },
    remove,
    /** Returns the archive. Its bytes are read when they are needed. */
    file: async (): Promise<File> => (await (await folder()).getFileHandle(ARCHIVE)).getFile(),
  };
}

async function folder(): Promise<FileSystemDirectoryHandle> {
  try {
    return await navigator.storage.getDirectory();
  } catch (cause) {
    throw new NoPlaceError('This window may not keep files.', { cause });
  }
}

/** Writes pieces into the file of the archive, and returns how many bytes it has. */
async function write(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
  const handle = await (await folder()).getFileHandle(ARCHIVE, { create: true });
  const file = await handle.createSyncAccessHandle();
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      signal.throwIfAborted();
      if (file.write(piece) < piece.length)
        throw new DOMException('The archive does not fit into the browser.', 'QuotaExceededError');
      bytes += piece.length;
    }
    file.flush();
  } finally {
    file.close();
  }
  return bytes;
}

function failureOf(error: unknown): { readonly reason: ArchiveFailure; readonly detail: string } {
  const detail = error instanceof Error ? error.message : String(error);
  return { reason: reasonOf(error), detail };
}

function reasonOf(error: unknown): ArchiveFailure {
  if (error instanceof NoPlaceError) return 'no-place';
  if (error instanceof NetworkError || (error instanceof GatewayError && error.retry)) return 'no-server';
  return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'no-room' : 'other';
}

/** Tells the last progress after each interval in which there was any. */
function inIntervals(tell: (progress: ExportProgress) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const state: { last?: ExportProgress } = {};
  return {
    get last() {
      return state.last;
    },
    tell(progress: ExportProgress): void {
      state.last = progress;
      timer ??= setTimeout(() => {
        timer = undefined;
        tell(state.last ?? progress);
      }, TELL_MS);
    },
    end: (): void => clearTimeout(timer),
  };
}
