// The files that wait in the composer of a chat. They belong to the open page, and are given up when the chat is left.
import { useEffect, useState } from 'react';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { shelf } from '../../../media/shelf.ts';
import { type Attachments, createAttachments } from './attachments.ts';

export function useAttachments(chatMid: string): Attachments {
  const remote = useRemote();
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const [attachments] = useState(() =>
    createAttachments({
      prepare: async (file) => (await import('./prepare-file.ts')).prepareFile(file),
      async queue(media, replyTo) {
        const localId = await remote.messaging.queueFile(chatMid, media, { replyTo });
        // What was sent from here is shown from here. It need not be loaded again.
        if (media.kind !== 'file' && media.bytes instanceof Blob) shelf.put(`${me}/${localId}`, media.bytes);
      },
      createUrl: (blob) => URL.createObjectURL(blob),
      revokeUrl: (url) => URL.revokeObjectURL(url),
    }),
  );
  useEffect(() => () => attachments.clear(), [attachments]);
  return attachments;
}
