// Loads the media of messages for pages. Reports the progress of uploads and downloads.
import type { Client, StoredMessage } from '@sealpost/sdk';
import type { Transfer } from './protocol.ts';

export type TellTransfer = (transfer: Transfer) => void;

/** Wraps `tell`, so that it is called only when the percentage of a transfer changes. */
export function inPercents(tell: TellTransfer): TellTransfer {
  const last = new Map<string, number>();
  return (transfer) => {
    const { id, done, total } = transfer;
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    if (last.get(id) === percent) return;
    if (percent === 100) last.delete(id);
    else last.set(id, percent);
    tell(transfer);
  };
}

export function createDownloads(client: () => Client, tell: TellTransfer) {
  const running = new Map<string, AbortController>();
  return {
    /** Returns the content of a message's media, after all of it has been loaded and verified. */
    async mediaBlob(message: StoredMessage, type: string): Promise<Blob> {
      const { id } = message;
      const stop = new AbortController();
      running.set(id, stop);
      try {
        const onProgress = ({ done, total }: Omit<Transfer, 'id'>): void => tell({ id, done, total });
        const opened = await client().media.open(message, { signal: stop.signal, onProgress });
        const pieces: BlobPart[] = [];
        for await (const piece of opened.bytes()) pieces.push(piece as Uint8Array<ArrayBuffer>);
        return new Blob(pieces, { type });
      } finally {
        if (running.get(id) === stop) running.delete(id);
        tell({ id, done: 1, total: 1 });
      }
    },
    /** Ends the download of a message's media. The waiting call of `mediaBlob` fails with an `AbortError`. */
    cancelMedia(messageId: string): void {
      running.get(messageId)?.abort();
    },
  };
}
