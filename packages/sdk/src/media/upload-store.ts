// The data that an upload needs to continue after the process has ended.

import type { Draft } from '../messaging/draft.ts';
import type { FirstAttempt } from '../messaging/repeatable.ts';

/** Keeps texts under keys. The texts have the encryption key of the media, so they are as secret as the media. */
export interface UploadStore {
  load(key: string): string | undefined | Promise<string | undefined>;
  save(key: string, state: string): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

/** Creates a store in memory: uploads continue after lost connections, but not after the end of the process. */
export function memoryUploadStore(): UploadStore {
  const states = new Map<string, string>();
  return {
    load: (key) => states.get(key),
    save: (key, state) => void states.set(key, state),
    remove: (key) => void states.delete(key),
  };
}

/** The state of sending one object with its message. The server knows how much of the object is uploaded. */
export interface UploadState {
  /**
   * The size of the content before sealing, in bytes. With another size, recipient or sender, an upload under the same
   * key starts from the beginning.
   */
  readonly size: number;
  readonly to: string;
  readonly from: string;
  /** For plain media, the message as it is sent. */
  readonly draft?: Draft;
  /** For plain media, when the message was sent first. */
  readonly attempt?: FirstAttempt;
  /** For plain media, the id of the message. The message was sent, and waits for its object. */
  readonly messageId?: string;
  /**
   * Key and names of sealed media. `oid` is the name of the object. If `oid` is present, the message may have been
   * sent.
   */
  readonly sealed?: { readonly keyMaterial: string; readonly requestName: string; readonly oid?: string };
}
