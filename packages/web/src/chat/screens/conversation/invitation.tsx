// What stands in the place of the composer while the account is only invited.
import { Trans } from '@lingui/react/macro';
import { useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { routes } from '../../routes.ts';
import styles from './invitation.module.css';

export function Invitation({ chatMid }: { chatMid: string }) {
  const remote = useRemote();
  const [, go] = useLocation();
  const reject = async (): Promise<void> => {
    if (await attempt(() => remote.chats.reject(chatMid))) go(routes.chats);
  };
  return (
    <div className={styles.invitation}>
      <p>
        <Trans>You are invited to this group.</Trans>
      </p>
      <Button onClick={() => void reject()}>
        <Trans>Decline</Trans>
      </Button>
      <Button look="primary" onClick={() => void attempt(() => remote.chats.accept(chatMid))}>
        <Trans>Join</Trans>
      </Button>
    </div>
  );
}
