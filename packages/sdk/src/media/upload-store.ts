// What an upload must remember to go on after the process has ended.
import type { Draft } from '../messaging/draft.ts';

/** Keeps texts under keys. They hold the key of what is being sent, so they are as secret as it is. */
export interface UploadStore {
  load(key: string): string | undefined | Promise<string | undefined>;
  save(key: string, state: string): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

/** Goes on after cuts, and not after the end of the process. */
export function memoryUploadStore(): UploadStore {
  const states = new Map<string, string>();
  return {
    load: (key) => states.get(key),
    save: (key, state) => void states.set(key, state),
    remove: (key) => void states.delete(key),
  };
}

/** How far the sending of one medium is. How far its upload is, the server knows. */
export interface UploadState {
  /** Of the object before sealing: an upload of something else under the same key begins anew. */
  readonly size: number;
  readonly to: string;
  readonly from: string;
  /** Of plain media: the message. */
  readonly draft?: Draft;
  /** Of plain media: the message was sent, and waits for its object. */
  readonly messageId?: string;
  /** Of sealed media. Once the name of the object is known, the message may have been sent. */
  readonly sealed?: { readonly keyMaterial: string; readonly requestName: string; readonly oid?: string };
}
