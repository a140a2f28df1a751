// The details of a chat: its name, its settings, its members and files, and buttons to hide or leave it.
import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { IconButton } from '../../../../design/button.tsx';
import { useMirror } from '../../../client/context.tsx';
import { AboutChat } from './about-chat.tsx';
import { ChatEnd } from './chat-end.tsx';
import { ChatSwitches } from './chat-switches.tsx';
import styles from './details.module.css';
import { Files } from './files.tsx';
import { Members } from './members.tsx';
import { closeDetails } from './open-details.ts';

export default function Details({ chatMid }: { chatMid: string }) {
  const { t } = useLingui();
  const [, go] = useLocation();
  const isGroup = useMirror(({ chats }) => (chats.get(chatMid)?.kind ?? 'user') !== 'user');
  const close = useRef<HTMLButtonElement>(null);
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    // In a narrow window the details cover the conversation and the button that opened them. So the focus comes along.
    const covered = pane.current?.previousElementSibling;
    if (covered?.checkVisibility({ visibilityProperty: true }) === false) close.current?.focus();
  }, []);
  return (
    <aside ref={pane} className={styles.details} aria-label={t`Details`}>
      <header className={styles.header}>
        <h2>
          <Trans>Details</Trans>
        </h2>
        <IconButton ref={close} label={t`Close the details`} onClick={() => closeDetails(chatMid, go)}>
          <X />
        </IconButton>
      </header>
      <div className={styles.content}>
        <AboutChat chatMid={chatMid} />
        <ChatSwitches chatMid={chatMid} />
        {isGroup && <Members chatMid={chatMid} />}
        <Files chatMid={chatMid} />
        <ChatEnd chatMid={chatMid} />
      </div>
    </aside>
  );
}
