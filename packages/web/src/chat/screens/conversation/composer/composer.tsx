// Where one writes. Drafts belong to the chat; they are stored as one writes, and survive a reload.
import { useLingui } from '@lingui/react/macro';
import { SendHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../../../design/button.tsx';
import { attempt } from '../../../client/attempt.ts';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { Quote } from '../quote.tsx';
import styles from './composer.module.css';
import { createDraftKeeper } from './draft.ts';
import { sendsOnEnter } from './enter.ts';

export interface ComposerProps {
  readonly chatMid: string;
  readonly replyTo: string | undefined;
  readonly onReplyTo: (messageId: string | undefined) => void;
}

export function Composer({ chatMid, replyTo, onReplyTo }: ComposerProps) {
  const { t } = useLingui();
  const remote = useRemote();
  const draft = useMirror(({ chats }) => chats.get(chatMid)?.draft);
  const [text, setText] = useState(draft?.text ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  const [keeper] = useState(() => createDraftKeeper((kept) => remote.replica.setDraft(chatMid, kept)));
  useEffect(() => () => keeper.flush(), [keeper]);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (replyTo !== undefined) field.current?.focus();
  }, [replyTo]);

  const write = (next: string): void => {
    setText(next);
    keeper.keep({ text: next, ...(replyTo !== undefined && { replyTo }) });
  };
  const send = (): void => {
    const said = text.trim();
    if (said === '') return;
    setText('');
    onReplyTo(undefined);
    keeper.forget();
    void attempt(() => remote.messaging.queueText(chatMid, said, { replyTo })).then((done) => {
      if (!done) write(said);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!sendsOnEnter(event.nativeEvent)) return;
    event.preventDefault();
    send();
  };

  return (
    <div className={styles.composer}>
      {replyTo !== undefined && (
        <div className={styles.reply}>
          <Quote chatMid={chatMid} messageId={replyTo} />
          <IconButton label={t`Do not reply`} onClick={() => onReplyTo(undefined)}>
            <X />
          </IconButton>
        </div>
      )}
      <div className={styles.line}>
        <textarea
          ref={field}
          className={styles.field}
          rows={1}
          value={text}
          placeholder={t`Write a message`}
          aria-label={t`Write a message`}
          dir="auto"
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton label={t`Send`} className={styles.send} disabled={text.trim() === ''} onClick={send}>
          <SendHorizontal />
        </IconButton>
      </div>
    </div>
  );
}
