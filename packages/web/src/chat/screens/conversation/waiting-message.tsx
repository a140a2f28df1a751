// A message in the outbox: waiting, being sent, or refused.
import { Trans, useLingui } from '@lingui/react/macro';
import { Clock, TriangleAlert } from 'lucide-react';
import { cx } from '../../../design/cx.ts';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import type { Waiting } from '../../client/protocol.ts';
import { FailedSend } from './failed-send.tsx';
import message from './message.module.css';
import { WaitingContent } from './waiting-content.tsx';
import styles from './waiting-message.module.css';

export interface WaitingMessageProps {
  readonly waiting: Waiting;
  readonly first: boolean;
  readonly last: boolean;
}

export function WaitingMessage({ waiting, first, last }: WaitingMessageProps) {
  const { t } = useLingui();
  const remote = useRemote();
  const { localId, state } = waiting;
  const transfer = useMirror(({ transfers }) => transfers.get(localId));
  const online = useMirror(({ status }) => status.connection.state === 'online');
  const cancel = (): void => void attempt(() => remote.outbox.cancel(localId));
  return (
    <article
      className={cx(message.row, message.own, first && message.first, last && message.last)}
      tabIndex={-1}
      aria-label={t`You, not sent yet`}
    >
      <div className={message.stack}>
        <div className={cx(message.bubble, styles.waiting)} data-kind={waiting.content.contentType}>
          <WaitingContent waiting={waiting} />
          {transfer && state !== 'failed' && (
            <progress className={styles.progress} aria-label={t`Upload`} value={transfer.done} max={transfer.total} />
          )}
          <footer className={styles.state}>
            {state === 'failed' ? <TriangleAlert aria-hidden="true" /> : <Clock aria-hidden="true" />}
            {state === 'failed' ? t`Not sent` : online && (state === 'sending' || transfer) ? t`Sending…` : t`Waiting`}
            {state !== 'failed' && (
              <button type="button" onClick={cancel}>
                <Trans>Cancel</Trans>
              </button>
            )}
          </footer>
        </div>
        {state === 'failed' && <FailedSend waiting={waiting} />}
      </div>
    </article>
  );
}
