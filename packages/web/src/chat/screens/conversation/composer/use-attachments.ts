// The files that wait in the composer of a chat. They are not stored, but wait there when the person comes back.
import { useState } from 'react';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { shelf } from '../../../media/shelf.ts';
import { type Attachments, createAttachments } from './attachments.ts';
import { keptAttachments } from './kept-attachments.ts';

export function useAttachments(chatMid: string): Attachments {
  const remote = useRemote();
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const [attachments] = useState(() =>
    keptAttachments(`${me}/${chatMid}`, () =>
      asksBeforeLoss(
        createAttachments({
          prepare: async (file) => (await import('./prepare-file.ts')).prepareFile(file),
          async queue(media, replyTo) {
            const localId = await remote.messaging.queueFile(chatMid, media, { replyTo });
            // The page shows the media from the chosen file, and need not download it after sending.
            if (media.kind !== 'file' && media.bytes instanceof Blob) shelf.put(`${me}/${localId}`, media.bytes);
          },
          createUrl: (blob) => URL.createObjectURL(blob),
          revokeUrl: (url) => URL.revokeObjectURL(url),
        }),
      ),
    ),
  );
  return attachments;
}

/** Lets the browser ask the person before the page is closed or loaded again, as long as files wait. */
function asksBeforeLoss(attachments: Attachments): Attachments {
  const ask = (event: Event): void => event.preventDefault();
  attachments.store.subscribe(({ length }) =>
    length > 0 ? addEventListener('beforeunload', ask) : removeEventListener('beforeunload', ask),
  );
  return attachments;
}
