// The pictures and files among the loaded messages of a chat.
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';

const kinds: ReadonlyMap<number, ChatFile['kind']> = new Map([
  [contentTypes.IMAGE, 'picture'],
  [contentTypes.VIDEO, 'video'],
  [contentTypes.AUDIO, 'sound'],
  [contentTypes.FILE, 'file'],
]);

export interface ChatFile {
  readonly kind: 'picture' | 'video' | 'sound' | 'file';
  readonly message: StoredMessage;
  /** The name that the sender gave the file; an empty text if there is none. */
  readonly name: string;
}

/** Returns pictures and files, the newest first. Leaves out messages that were unsent or could not be opened. */
export function chatFiles(messages: readonly StoredMessage[]): ChatFile[] {
  return messages.toReversed().flatMap((message) => {
    const kind = kinds.get(message.contentType);
    const gone = message.contentMetadata.UNSENT === 'true' || message.sealing.state === 'unopened';
    if (!kind || gone) return [];
    return [{ kind, message, name: message.contentMetadata.FILE_NAME ?? '' }];
  });
}
