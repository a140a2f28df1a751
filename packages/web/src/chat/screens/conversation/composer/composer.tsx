// The field for writing messages, with its buttons. Each chat has its own draft. It is stored while the person writes,
// and survives a reload.
import { useLingui } from '@lingui/react/macro';
import type { OutgoingMedia } from '@sealpost/sdk';
import { SendHorizontal, X } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { IconButton } from '../../../../design/button.tsx';
import type { SealState } from '../../../client/engine-keys.ts';
import { preference } from '../../../preferences.ts';
import quote from '../quote.module.css';
import { QuotedText } from '../quote.tsx';
import { AttachMenu } from './attach-menu.tsx';
import { AttachmentTray } from './attachment-tray.tsx';
import type { Attachments } from './attachments.ts';
import styles from './composer.module.css';
import { stickerContent } from './content.ts';
import { DropZone } from './drop-zone.tsx';
import { sendsOnEnter } from './enter.ts';
import { PickerButton } from './picker-button.tsx';
import { useAttachments } from './use-attachments.ts';
import { useDraft } from './use-draft.ts';
import { useMentions } from './use-mentions.tsx';
import { useQueue } from './use-queue.ts';

const VoiceRecorder = lazy(() => import('./voice-recorder.tsx'));

export interface ComposerProps {
  readonly chatMid: string;
  /** Whether a message written now would be sealed; undefined if that is not known yet. */
  readonly seal: SealState | undefined;
  readonly replyTo: string | undefined;
  readonly onReplyTo: (messageId: string | undefined) => void;
}

export function Composer({ chatMid, seal, replyTo, onReplyTo }: ComposerProps) {
  const { t } = useLingui();
  const { text, write, send } = useDraft(chatMid, replyTo);
  const field = useRef<HTMLTextAreaElement>(null);
  const attachments = useAttachments(chatMid);
  const attached = useStore(attachments.store, (items) => items.length);
  const [isRecording, setRecording] = useState(false);
  useFieldFocus(field, replyTo, isRecording);
  const queue = useQueue(chatMid, { attachments, replyTo, onReplyTo });
  const mentions = useMentions({ chatMid, text, field, write });
  const sendAll = (): void => {
    const said = text.trim();
    if (said === '' && attached === 0) return;
    field.current?.focus();
    send(said, queue.text(said, mentions.of(said)));
  };
  const addChosen = (files: readonly File[]): void => {
    attachments.add(files);
    field.current?.focus();
  };
  const sendVoice = (media: OutgoingMedia): void => {
    setRecording(false);
    queue.file(media);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (mentions.onKeyDown(event) || !sendsOnEnter(event.nativeEvent, preference('enter'))) return;
    event.preventDefault();
    sendAll();
  };

  return (
    <div className={styles.composer}>
      <ReplyLine chatMid={chatMid} replyTo={replyTo} onReplyTo={onReplyTo} />
      {mentions.list}
      <AttachmentTray attachments={attachments} />
      <DropZone onFiles={attachments.add} />
      {isRecording && (
        <Suspense>
          <VoiceRecorder onDone={sendVoice} onCancel={() => setRecording(false)} onLeave={attachments.addMedia} />
        </Suspense>
      )}
      <div className={styles.line} hidden={isRecording}>
        <AttachMenu onFiles={addChosen} onVoice={() => setRecording(true)} onContent={queue.content} />
        <textarea
          ref={field}
          className={styles.field}
          rows={1}
          value={text}
          placeholder={seal?.kind === 'plain' ? t`Write a message that is not sealed` : t`Write a message`}
          aria-label={t`Write a message`}
          dir="auto"
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          onSelect={mentions.look}
          onPaste={(event) => addPasted(event, attachments)}
        />
        <PickerButton
          field={field}
          onEmoji={(emoji) => insertAtCaret(field.current, text, emoji, write)}
          onSticker={(sticker) => queue.content(stickerContent(sticker))}
        />
        <IconButton
          label={t`Send`}
          className={styles.send}
          disabled={text.trim() === '' && attached === 0}
          onClick={sendAll}
        >
          <SendHorizontal />
        </IconButton>
      </div>
    </div>
  );
}

function ReplyLine({ chatMid, replyTo, onReplyTo }: Omit<ComposerProps, 'seal'>) {
  const { t } = useLingui();
  if (replyTo === undefined) return null;
  return (
    <div className={styles.reply}>
      <blockquote className={quote.quote}>
        <QuotedText chatMid={chatMid} messageId={replyTo} />
      </blockquote>
      <IconButton label={t`Do not reply`} onClick={() => onReplyTo(undefined)}>
        <X />
      </IconButton>
    </div>
  );
}

/**
 * Gives the field the focus when the chat is opened, with the caret after the draft. Also gives it the focus when a reply
 * begins, and when the recording of a voice message ends.
 */
function useFieldFocus(
  field: RefObject<HTMLTextAreaElement | null>,
  replyTo: string | undefined,
  isRecording: boolean,
): void {
  useEffect(() => {
    const { current } = field;
    current?.setSelectionRange(current.value.length, current.value.length);
  }, [field]);
  useEffect(() => {
    if (!isRecording) field.current?.focus({ preventScroll: true });
  }, [field, isRecording]);
  useEffect(() => {
    if (replyTo !== undefined) field.current?.focus();
  }, [field, replyTo]);
}

/** Inserts an emoji at the caret, or in place of the selected text. */
function insertAtCaret(
  field: HTMLTextAreaElement | null,
  text: string,
  emoji: string,
  write: (text: string) => void,
): void {
  const { selectionStart = text.length, selectionEnd = text.length } = field ?? {};
  write(text.slice(0, selectionStart) + emoji + text.slice(selectionEnd));
  const after = selectionStart + emoji.length;
  requestAnimationFrame(() => field?.setSelectionRange(after, after));
}

function addPasted(event: ClipboardEvent, attachments: Attachments): void {
  const files = [...event.clipboardData.files];
  if (files.length === 0) return;
  event.preventDefault();
  attachments.add(files);
}
