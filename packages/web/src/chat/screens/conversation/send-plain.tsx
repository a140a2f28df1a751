// The choice to send a message in the clear that was held back. It stands apart from the other choices, and asks once
// more, with the names of those who can read the message then.
import { Trans, useLingui } from '@lingui/react/macro';
import { LockKeyholeOpen } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { useMirror, useRemote } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import type { Waiting } from '../../client/protocol.ts';
import styles from './send-plain.module.css';

const Confirm = lazy(() => import('../../overlays/confirm.tsx'));

export function SendPlain({ waiting: { localId, chatMid, content, file } }: { waiting: Waiting }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [asks, setAsks] = useState(false);
  const name = useMirror((state) => state.chats.get(chatMid)?.name || nameOf(state, chatMid)) || t`Unknown`;
  const isPerson = useMirror(({ chats }) => (chats.get(chatMid)?.kind ?? 'user') === 'user');
  const { host } = location;
  const shown = file?.name ?? content.text ?? '';
  return (
    <div className={styles.choice}>
      <p>
        <LockKeyholeOpen aria-hidden="true" />
        <Trans>Without a seal, the operator of the server can read it.</Trans>
      </p>
      <Button look="danger" onClick={() => setAsks(true)}>
        <Trans>Send this one in the clear</Trans>
      </Button>
      {asks && (
        <Suspense>
          <Confirm
            title={t`Send this message in the clear?`}
            confirmLabel={t`Send in the clear`}
            onClose={() => setAsks(false)}
            onConfirm={() => remote.outbox.retry(localId, 'plain')}
          >
            <div className={styles.question}>
              {shown !== '' && (
                <blockquote dir="auto" className={styles.message}>
                  {shown}
                </blockquote>
              )}
              <p>
                <Trans>These can read it then:</Trans>
              </p>
              <ul className={styles.readers}>
                <li>{isPerson ? <bdi>{name}</bdi> : <Trans>everybody in {name}</Trans>}</li>
                <li>
                  <Trans>whoever operates the server {host}</Trans>
                </li>
                <li>
                  <Trans>whoever breaks into that server, or gets one of its backups</Trans>
                </li>
              </ul>
              <p>
                <Trans>Only this message goes in the clear. The next ones are held back again.</Trans>
              </p>
            </div>
          </Confirm>
        </Suspense>
      )}
    </div>
  );
}
