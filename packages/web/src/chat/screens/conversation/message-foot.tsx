// The line in small print below a message: when it was sent, whether it is sealed, and who has read it.

import { useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { Check, CheckCheck, LockKeyhole, LockKeyholeOpen, ShieldQuestion } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { timeOfDay } from '../../../words/dates.ts';
import { fullTime } from '../../../words/full-times.ts';
import { useMirror } from '../../client/context.tsx';
import { useViewState } from './conversation-view.ts';
import styles from './message-foot.module.css';

const SealNote = lazy(() => import('./seal-note.tsx'));

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
      <Seal message={message} />
      <time dateTime={new Date(time).toISOString()} title={fullTime(i18n.locale, time)}>
        {timeOfDay(i18n.locale, time)}
      </time>
      {own && <ReadMark messageId={message.id} chatMid={chatMid} />}
    </footer>
  );
}

function Seal({ message }: { message: StoredMessage }) {
  const { t } = useLingui();
  const { state } = message.sealing;
  if (state === 'opened') return <LockKeyhole role="img" aria-label={t`Sealed`} />;
  if (state === 'unproven') return <ShieldQuestion role="img" aria-label={t`Sealed, but the sender is not proved`} />;
  if (state === 'plain') return <OpenLock message={message} />;
  return null;
}

/** The sign of a message that is not sealed. Pressing it tells what that means. */
function OpenLock({ message: { id, contentType } }: { message: StoredMessage }) {
  const { t } = useLingui();
  const [explains, setExplains] = useState(false);
  const lock = useRef<HTMLButtonElement>(null);
  const tabIndex = useViewState(({ active }) => (active === id ? 0 : -1));
  const label = t`Not sealed: what this means`;
  return (
    <>
      <button
        ref={lock}
        type="button"
        className={styles.lock}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        aria-expanded={explains}
        tabIndex={tabIndex}
        onClick={() => setExplains(!explains)}
      >
        <LockKeyholeOpen aria-hidden="true" />
      </button>
      {explains && (
        <Suspense>
          <SealNote anchor={lock} contentType={contentType} onClose={() => setExplains(false)} />
        </Suspense>
      )}
    </>
  );
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
