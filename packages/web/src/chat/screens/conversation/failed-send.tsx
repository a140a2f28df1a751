// Says why a message was not sent, and offers actions: try again, get keys, compare, send it in the clear, delete it.
import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useMirrorShallow, useRemote } from '../../client/context.tsx';
import { waitingIn } from '../../client/mirror-state.ts';
import type { Waiting } from '../../client/protocol.ts';
import { openOverlay } from '../../overlays/overlays.ts';
import { sendChoices } from '../../safety/decisions.ts';
import { sendFailure } from '../../safety/reasons.ts';
import styles from './waiting-message.module.css';

const Confirm = lazy(() => import('../../overlays/confirm.tsx'));

export function FailedSend({ waiting: { localId, chatMid, failure } }: { waiting: Waiting }) {
  const { t, i18n } = useLingui();
  const remote = useRemote();
  const isPerson = useMirror(({ chats }) => (chats.get(chatMid)?.kind ?? 'user') === 'user');
  const [asksPlain, setAsksPlain] = useState(false);
  const failed = useMirrorShallow((state) =>
    waitingIn(state, chatMid).flatMap((row) => (row.state === 'failed' ? row.localId : [])),
  );
  const isLastOfSeveral = failed.length > 1 && failed.at(-1) === localId;
  const tryAll = async (): Promise<void> => {
    for (const id of failed) await remote.outbox.retry(id);
  };
  const reason = failure?.reason ?? '';
  const texts = sendFailure(reason);
  const choices = sendChoices(reason, !isPerson);
  return (
    <div className={styles.failed} role="status">
      {texts ? (
        <p>
          {i18n._(texts.what)} {i18n._(texts.helps)}
        </p>
      ) : (
        <p>{failure?.text}</p>
      )}
      {choices.keys && (
        <button type="button" onClick={() => openOverlay({ kind: 'keys' })}>
          <Trans>Get your keys</Trans>
        </button>
      )}
      {choices.compare && (
        <button type="button" onClick={() => openOverlay({ kind: 'safety', mid: chatMid })}>
          <Trans>Compare the safety number</Trans>
        </button>
      )}
      <button type="button" onClick={() => void attempt(() => remote.outbox.retry(localId))}>
        <Trans>Try again</Trans>
      </button>
      {isLastOfSeveral && (
        <button type="button" onClick={() => void attempt(tryAll)}>
          <Trans>Try all again</Trans>
        </button>
      )}
      {choices.plain && (
        <button type="button" onClick={() => setAsksPlain(true)}>
          <Trans>Send this one in the clear</Trans>
        </button>
      )}
      <button type="button" onClick={() => void attempt(() => remote.outbox.cancel(localId))}>
        <Trans>Delete</Trans>
      </button>
      {asksPlain && (
        <Suspense>
          <Confirm
            title={t`Send this message in the clear?`}
            confirmLabel={t`Send in the clear`}
            onClose={() => setAsksPlain(false)}
            onConfirm={() => remote.outbox.retry(localId, 'plain')}
          >
            <Trans>
              The operator of the server can read it, and so can somebody who breaks in there. Only this message goes in
              the clear; the next ones are held back again.
            </Trans>
          </Confirm>
        </Suspense>
      )}
    </div>
  );
}
