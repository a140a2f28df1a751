// Says why a message was not sent, and offers actions: try again, get keys, compare, send it in the clear, delete it.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../../design/button.tsx';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useMirrorShallow, useRemote } from '../../client/context.tsx';
import { waitingIn } from '../../client/mirror-state.ts';
import type { Waiting } from '../../client/protocol.ts';
import { openOverlay } from '../../overlays/overlays.ts';
import { AcceptLog } from '../../safety/accept-log.tsx';
import { sendChoices } from '../../safety/decisions.ts';
import { sendFailure } from '../../safety/reasons.ts';
import { SendPlain } from './send-plain.tsx';
import styles from './waiting-message.module.css';

export function FailedSend({ waiting }: { waiting: Waiting }) {
  const { i18n } = useLingui();
  const { localId, chatMid, failure } = waiting;
  const remote = useRemote();
  const isPerson = useMirror(({ chats }) => (chats.get(chatMid)?.kind ?? 'user') === 'user');
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
      <div className={styles.choices}>
        {choices.keys && (
          <Button onClick={() => openOverlay({ kind: 'keys' })}>
            <Trans>Get your keys</Trans>
          </Button>
        )}
        {choices.compare && (
          <Button onClick={() => openOverlay({ kind: 'safety', mid: chatMid })}>
            <Trans>Compare the safety number</Trans>
          </Button>
        )}
        <AcceptLog reason={reason} />
        <Button onClick={() => void attempt(() => remote.outbox.retry(localId))}>
          <Trans>Try again</Trans>
        </Button>
        {isLastOfSeveral && (
          <Button onClick={() => void attempt(tryAll)}>
            <Trans>Try all again</Trans>
          </Button>
        )}
        <Button onClick={() => void attempt(() => remote.outbox.cancel(localId))}>
          <Trans>Delete</Trans>
        </Button>
      </div>
      {choices.plain && <SendPlain waiting={waiting} />}
    </div>
  );
}
