// The verbs of media, with all that they need.
import { copyMedia } from './copy-media.ts';
import type { Media } from './index.ts';
import type { MediaDeps } from './media-deps.ts';
import { addressOf } from './object-place.ts';
import { openMedia } from './open-media.ts';
import { readPreview } from './read-preview.ts';
import { sendMedia } from './send-media.ts';
import { readInfo, readPlayback } from './stored-object.ts';

const MODEL = 'sealpost-sdk';

export const mediaOn = (deps: MediaDeps): Media => ({
  send: (to, media, options = {}) => sendMedia(deps, to, media, options),
  open: (message, options = {}) => openMedia(deps, message, options),
  preview: (message, options = {}) => readPreview(deps, message, options),
  copy: (to, message, options = {}) => copyMedia(deps, to, message, options),
  async info(message, { signal } = {}) {
    const { path, headers } = addressOf(message);
    return readInfo(deps.storage, path, { what: 'the look at an object', headers, signal });
  },
  async playback(message, { signal } = {}) {
    const { path, headers } = addressOf(message);
    const [lang = ''] = deps.locale.split('_');
    const query = { modelName: MODEL, networkType: 'WiFi', lang };
    return readPlayback(deps.storage, path, query, { what: 'the address of a video', headers, signal });
  },
});
