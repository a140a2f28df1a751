// The draft of a chat: the unfinished text that the user has typed, and the message that it answers.
import { useEffect, useState } from 'react';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { createDraftKeeper, type KeptDraft, unstoredDraft } from './draft.ts';

/** Returns what names the drafts of a chat in this browser. */
function useDraftKey(chatMid: string): string {
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  return `${me}/${chatMid}`;
}

/** Returns the draft of a chat, also if it is still being stored. */
export function useKeptDraft(chatMid: string): KeptDraft | undefined {
  const stored = useMirror(({ chats }) => chats.get(chatMid)?.draft);
  const newer = unstoredDraft(useDraftKey(chatMid));
  return newer ? newer.draft : stored;
}

/** Returns the text of the chat's draft, and the functions that change and store it. */
export function useDraft(chatMid: string, replyTo: string | undefined) {
  const remote = useRemote();
  const key = useDraftKey(chatMid);
  const draft = useKeptDraft(chatMid);
  const [text, setText] = useState(draft?.text ?? '');
  const [keeper] = useState(() => createDraftKeeper(key, (kept) => remote.replica.setDraft(chatMid, kept)));
  useEffect(() => {
    // A hidden page may be closed without a further event.
    document.addEventListener('visibilitychange', keeper.flush);
    return () => {
      document.removeEventListener('visibilitychange', keeper.flush);
      keeper.flush();
    };
  }, [keeper]);
  const write = (next: string): void => {
    setText(next);
    keeper.keep({ text: next, ...(replyTo !== undefined && { replyTo }) });
  };
  /** Empties the draft while its text is put into the outbox. If that fails, puts the text back. */
  const send = (said: string, queued: Promise<boolean>): void => {
    setText('');
    keeper.send();
    void queued.then((done) => {
      if (done) keeper.sent();
      else setText(keeper.unsent({ text: said, ...(replyTo !== undefined && { replyTo }) }).text);
    });
  };
  useKeptAnswer(replyTo, draft?.replyTo, () => text !== '' && write(text));
  return { text, write, send };
}

/** Stores the draft again when the person chooses or removes the message that the draft answers. */
function useKeptAnswer(replyTo: string | undefined, kept: string | undefined, keep: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is written keeps itself
  useEffect(() => {
    if (replyTo !== kept) keep();
  }, [replyTo]);
}
