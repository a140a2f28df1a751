// The view of a group to which the account is only invited: its picture, its members, and buttons to accept or decline.
import { Trans, useLingui } from '@lingui/react/macro';
import { useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { listOf } from '../../../words/numbers.ts';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { attempt } from '../../client/attempt.ts';
import { useMirrorShallow, useRemote } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { routes } from '../../routes.ts';
import styles from './invitation.module.css';

const FEW = 5;

export function Invitation({ chatMid }: { chatMid: string }) {
  const { i18n } = useLingui();
  const remote = useRemote();
  const [, go] = useLocation();
  const members = useMirrorShallow((state) =>
    (state.chats.get(chatMid)?.members ?? []).map((mid) => nameOf(state, mid)).filter(Boolean),
  );
  const inside = listOf(i18n.locale, members.slice(0, FEW));
  const reject = async (): Promise<void> => {
    if (await attempt(() => remote.chats.reject(chatMid))) go(routes.chats);
  };
  return (
    <div className={styles.invitation}>
      <ChatAvatar mid={chatMid} size="xl" />
      <p>
        <Trans>You are invited to this group.</Trans>
      </p>
      {inside !== '' && (
        <p className={styles.quiet}>
          <Trans>In it: {inside}</Trans>
        </p>
      )}
      <div className={styles.answers}>
        <Button onClick={() => void reject()}>
          <Trans>Decline</Trans>
        </Button>
        <Button look="primary" onClick={() => void attempt(() => remote.chats.accept(chatMid))}>
          <Trans>Join</Trans>
        </Button>
      </div>
    </div>
  );
}
