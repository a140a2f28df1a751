// The line in small print below a message: when it was sent, whether it is sealed, and who has read it.
import { useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { Check, CheckCheck, LockKeyhole, LockKeyholeOpen, ShieldQuestion } from 'lucide-react';
import { fullTime, timeOfDay } from '../../../words/dates.ts';
import { useMirror } from '../../client/context.tsx';
import styles from './message-foot.module.css';

export interface MessageFootProps {
  readonly message: StoredMessage;
  readonly chatMid: string;
  readonly own: boolean;
}

export function MessageFoot({ message, chatMid, own }: MessageFootProps) {
  const { i18n } = useLingui();
  const time = Number(message.createdTime);
  return (
    <footer className={styles.foot}>
      <Seal state={message.sealing.state} />
      <time dateTime={new Date(time).toISOString()} title={fullTime(i18n.locale, time)}>
        {timeOfDay(i18n.locale, time)}
      </time>
      {own && <ReadMark messageId={message.id} chatMid={chatMid} />}
    </footer>
  );
}

function Seal({ state }: { state: StoredMessage['sealing']['state'] }) {
  const { t } = useLingui();
  if (state === 'opened') return <LockKeyhole role="img" aria-label={t`Sealed`} />;
  if (state === 'unproven') return <ShieldQuestion role="img" aria-label={t`Sealed, but the sender is not proved`} />;
  if (state === 'plain') return <LockKeyholeOpen role="img" aria-label={t`Not sealed`} />;
  return null;
}

function ReadMark({ messageId, chatMid }: { messageId: string; chatMid: string }) {
  const { t } = useLingui();
  const isGroup = useMirror(({ chats }) => chats.get(chatMid)?.kind !== 'user');
  const readBy = useMirror(({ conversations, status }) => {
    const readers = conversations.get(chatMid)?.readers ?? {};
    return Object.entries(readers).filter(
      ([mid, upTo]) => mid !== status.session?.mid && Number(upTo) >= Number(messageId),
    ).length;
  });
  if (readBy === 0) return <Check role="img" aria-label={t`Sent`} />;
  return (
    <>
      <CheckCheck className={styles.read} role="img" aria-label={isGroup ? t`Read by ${readBy}` : t`Read`} />
      {isGroup && <span aria-hidden="true">{readBy}</span>}
    </>
  );
}
