// Media of messages: sending and reading, plain and sealed. The code is loaded at the first use, because most programs
// begin without media.
import { deferred } from '../deferred.ts';
import type { Media } from './media.ts';
import type { MediaDeps } from './media-deps.ts';

export type { Media } from './media.ts';

export const createMedia = (deps: MediaDeps): Media =>
  deferred(['send', 'open', 'preview', 'copy', 'withdraw', 'info', 'playback'], async () =>
    (await import('./media.ts')).mediaOn(deps),
  );
