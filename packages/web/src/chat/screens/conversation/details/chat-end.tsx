// The last buttons of the details: hide the chat, delete its history, report it, leave it.
import { Trans } from '@lingui/react/macro';
import { Eraser, EyeOff, Flag, LogOut } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from '../../../../design/button.tsx';
import { useMirror } from '../../../client/context.tsx';
import { openOverlay } from '../../../overlays/overlays.ts';
import { useChatVerbs } from '../../../people/chat-verbs.ts';
import { routes } from '../../../routes.ts';
import styles from './details.module.css';

export function ChatEnd({ chatMid }: { chatMid: string }) {
  const [, go] = useLocation();
  const chat = useMirror(({ chats }) => chats.get(chatMid));
  const verbs = useChatVerbs({ mid: chatMid, name: chat?.name ?? '', kind: chat?.kind ?? 'user' });
  const thenChats = async (done: Promise<boolean>): Promise<void> => {
    if (await done) go(routes.chats);
  };
  return (
    <div className={styles.ends}>
      {chat && !chat.invited && (
        <>
          <Button look="quiet" icon={<EyeOff size={18} />} onClick={() => void thenChats(verbs.hide())}>
            <Trans>Hide the chat</Trans>
          </Button>
          <Button
            look="quiet"
            className={styles.danger}
            icon={<Eraser size={18} />}
            onClick={() => void verbs.deleteHistory()}
          >
            <Trans>Delete the history</Trans>
          </Button>
        </>
      )}
      <Button
        look="quiet"
        className={styles.danger}
        icon={<Flag size={18} />}
        onClick={() => openOverlay({ kind: 'report', mid: chatMid })}
      >
        <Trans>Report</Trans>
      </Button>
      {chat && chat.kind !== 'user' && !chat.invited && (
        <Button
          look="quiet"
          className={styles.danger}
          icon={<LogOut size={18} />}
          onClick={() => void thenChats(verbs.leave())}
        >
          {chat.kind === 'room' ? <Trans>Leave the room</Trans> : <Trans>Leave the group</Trans>}
        </Button>
      )}
    </div>
  );
}
