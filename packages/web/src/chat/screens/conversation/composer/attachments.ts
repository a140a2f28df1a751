// The files that wait in the composer. They are read one after another, and sent in the order in which they were
// chosen.
import type { OutgoingMedia } from '@sealpost/sdk';
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface Attachment {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  /** The media to send for the file; undefined while the file is being read. */
  readonly media?: OutgoingMedia;
  /** The address of the file's preview picture. */
  readonly url?: string;
}

export interface AttachmentsDeps {
  /** Finds out the kind of a file, and makes its preview. */
  prepare(file: File): Promise<OutgoingMedia>;
  queue(media: OutgoingMedia, replyTo: string | undefined): Promise<unknown>;
  createUrl(blob: Blob): string;
  revokeUrl(url: string): void;
}

export interface Attachments {
  readonly store: StoreApi<readonly Attachment[]>;
  add(files: Iterable<File>): void;
  /** Adds media that need not be read, such as a recording. */
  addMedia(media: OutgoingMedia, size: number): void;
  remove(key: number): void;
  /**
   * Puts all files into the outbox, after the files of an earlier call. Only the first one is a reply to `replyTo`. Files
   * that could not be queued stay.
   */
  send(replyTo: string | undefined): Promise<void>;
  clear(): void;
}

export function createAttachments({ prepare, queue, createUrl, revokeUrl }: AttachmentsDeps): Attachments {
  const store = createStore<readonly Attachment[]>()(() => []);
  const reading = new Map<number, Promise<OutgoingMedia>>();
  let last = 0;
  let sending: Promise<unknown> = Promise.resolve();

  async function read(key: number, file: File, before: Promise<unknown>): Promise<OutgoingMedia> {
    await before.catch(() => undefined);
    const media = await prepare(file);
    const url = media.preview && createUrl(new Blob([media.preview.bytes], { type: 'image/jpeg' }));
    const isHere = store.getState().some((item) => item.key === key);
    if (url !== undefined && !isHere) revokeUrl(url);
    store.setState(
      (items) => items.map((item) => (item.key === key ? { ...item, media, ...(url !== undefined && { url }) } : item)),
      true,
    );
    return media;
  }

  function remove(key: number): void {
    const found = store.getState().find((item) => item.key === key);
    if (found?.url !== undefined) revokeUrl(found.url);
    reading.delete(key);
    store.setState((items) => items.filter((item) => item.key !== key), true);
  }

  async function sendAll(replyTo: string | undefined): Promise<void> {
    let answers = replyTo;
    for (const { key } of store.getState()) {
      const media = await reading.get(key);
      // The file may have been removed while it was read.
      if (!media || !reading.has(key)) continue;
      await queue(media, answers);
      answers = undefined;
      remove(key);
    }
  }

  return {
    store,
    add(files) {
      for (const file of files) {
        const key = ++last;
        const before = [...reading.values()].at(-1) ?? Promise.resolve();
        store.setState((items) => [...items, { key, name: file.name, size: file.size }], true);
        const media = read(key, file, before);
        // `send` reports the failure. Without this line, the browser would first report it as an unhandled rejection.
        media.catch(() => undefined);
        reading.set(key, media);
      }
    },
    addMedia(media, size) {
      const key = ++last;
      store.setState((items) => [...items, { key, name: media.name, size, media }], true);
      reading.set(key, Promise.resolve(media));
    },
    remove,
    send(replyTo) {
      const sent = sending.then(() => sendAll(replyTo));
      sending = sent.catch(() => undefined);
      return sent;
    },
    clear() {
      for (const { key } of store.getState()) remove(key);
    },
  };
}
