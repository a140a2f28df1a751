// The things that sending and reading media need.
import type { Gateway } from '../gateway/calls.ts';
import type { HttpCalls } from '../gateway/http-calls.ts';
import type { ClientPorts } from '../gateway/ports.ts';
import type { MediaSealing } from './media-sealing.ts';
import type { ObjectStorage } from './object-storage.ts';
import type { UploadStore } from './upload-store.ts';

export interface MediaDeps {
  readonly gateway: Gateway;
  readonly http: Pick<HttpCalls, 'copyForMessage'>;
  /** The language in which object storage should answer. */
  readonly locale: string;
  readonly ports: ClientPorts;
  readonly storage: ObjectStorage;
  readonly uploads: UploadStore;
  /** Letter Sealing for media. If undefined, nothing is sealed, and nothing sealed can be opened. */
  readonly sealing: MediaSealing | undefined;
  readonly nextReqSeq: () => number;
}
