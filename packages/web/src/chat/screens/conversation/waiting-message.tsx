// A message that waits in the outbox: queued, being sent, or refused.
import { Trans, useLingui } from '@lingui/react/macro';
import { Clock, TriangleAlert } from 'lucide-react';
import { cx } from '../../../design/cx.ts';
import { fileSize } from '../../../words/numbers.ts';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import type { Waiting } from '../../client/protocol.ts';
import { FailedSend } from './failed-send.tsx';
import message from './message.module.css';
import styles from './waiting-message.module.css';

export interface WaitingMessageProps {
  readonly waiting: Waiting;
  readonly first: boolean;
  readonly last: boolean;
}

export function WaitingMessage({ waiting, first, last }: WaitingMessageProps) {
  const { t, i18n } = useLingui();
  const remote = useRemote();
  const { localId, state, content, file } = waiting;
  return (
    <article
      className={cx(message.row, message.own, first && message.first, last && message.last)}
      aria-label={t`You, not sent yet`}
    >
      <div className={message.stack}>
        <div className={cx(message.bubble, styles.waiting)}>
          {file ? (
            <p>
              <bdi>{file.name}</bdi> · {fileSize(i18n.locale, file.size)}
            </p>
          ) : (
            <p className={styles.text}>{content.text}</p>
          )}
          <p className={styles.state}>
            {state === 'failed' ? <TriangleAlert aria-hidden="true" /> : <Clock aria-hidden="true" />}
            {state === 'failed' ? t`Not sent` : state === 'sending' ? t`Sending…` : t`Waiting`}
            {state !== 'failed' && (
              <button type="button" onClick={() => void attempt(() => remote.outbox.cancel(localId))}>
                <Trans>Cancel</Trans>
              </button>
            )}
          </p>
        </div>
        {state === 'failed' && <FailedSend waiting={waiting} />}
      </div>
    </article>
  );
}
