// Media of messages: sending and reading, plain and sealed. The code is loaded at the first use, because most programs
// begin without media.
import type { Media } from './media.ts';
import type { MediaDeps } from './media-deps.ts';

export type { Media } from './media.ts';

export function createMedia(deps: MediaDeps): Media {
  const loaded = async (): Promise<Media> => (await import('./media.ts')).mediaOn(deps);
  return {
    send: async (...args) => (await loaded()).send(...args),
    open: async (...args) => (await loaded()).open(...args),
    preview: async (...args) => (await loaded()).preview(...args),
    copy: async (...args) => (await loaded()).copy(...args),
    info: async (...args) => (await loaded()).info(...args),
    playback: async (...args) => (await loaded()).playback(...args),
  };
}
