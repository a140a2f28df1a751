// A dialog that explains whether messages written into a chat are sealed, and if not, why.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { GroupTrust } from '@sealpost/sdk';
import { useEffect, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useMirror, useRemote } from '../client/context.tsx';
import type { SealState } from '../client/engine-keys.ts';
import { nameOf } from '../client/mirror-state.ts';
import { AcceptLog } from '../safety/accept-log.tsx';
import { alarmReason, plainReason } from '../safety/reasons.ts';
import { useSealState } from '../safety/use-seal-state.ts';
import styles from './backup-dialog.module.css';
import { openOverlay } from './overlays.ts';

export interface SealDialogProps {
  readonly chatMid: string;
  /** What was known when the dialog was opened. It is shown until the engine answers, which needs a connection. */
  readonly known: SealState;
  readonly onClose: () => void;
}

export default function SealDialog({ chatMid, known, onClose }: SealDialogProps) {
  const { t, i18n } = useLingui();
  const state = useSealState(chatMid) ?? known;
  const isPerson = useMirror(({ chats }) => (chats.get(chatMid)?.kind ?? 'user') === 'user');
  const title = state.kind === 'sealed' ? t`This chat is sealed` : t`This chat is not sealed now`;
  const why =
    state.kind === 'plain'
      ? plainReason(state.because)
      : state.kind === 'alarm'
        ? alarmReason(state.reason)
        : undefined;
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t`Close`} size="s">
      <div className={styles.content}>
        {state.kind === 'sealed' && (
          <>
            <p>
              <Trans>
                What you write is sealed on this device, and opens only on the devices of those who are in this chat.
                The server sees who writes to whom and when, not what.
              </Trans>
            </p>
            <p>
              <Trans>
                Stickers, contact cards and reactions are not sealed: the server can see them. An open lock marks such a
                message.
              </Trans>
            </p>
          </>
        )}
        {state.kind === 'own-key-missing' && (
          <p>
            <Trans>This browser does not have your keys, so nothing can be sealed or sent here.</Trans>
          </p>
        )}
        {why && (
          <>
            <p>{i18n._(why.what)}</p>
            <p>{i18n._(why.helps)}</p>
          </>
        )}
        {state.kind === 'plain' && !state.refused && (
          <p>
            <Trans>What you write now can be read by the operator of the server.</Trans>
          </p>
        )}
        {state.kind === 'plain' && state.refused && (
          <p>
            <Trans>
              This chat was sealed before. So nothing is sent in the clear unless you ask for it, message by message.
            </Trans>
          </p>
        )}
        {state.kind === 'own-key-missing' && (
          <Button look="primary" onClick={() => openOverlay({ kind: 'keys' })}>
            <Trans>Get your keys</Trans>
          </Button>
        )}
        {state.kind === 'alarm' && <AcceptLog reason={state.reason} />}
        {isPerson && state.kind !== 'own-key-missing' && (
          <Button onClick={() => openOverlay({ kind: 'safety', mid: chatMid })}>
            <Trans>Safety number</Trans>
          </Button>
        )}
        {!isPerson && state.kind === 'sealed' && <Members chatMid={chatMid} />}
      </div>
    </Dialog>
  );
}

/** Says with how many members safety numbers were compared, and who made the key of the group. */
function Members({ chatMid }: { chatMid: string }) {
  const remote = useRemote();
  const [group, setGroup] = useState<GroupTrust>();
  const creator = useMirror((state) => nameOf(state, group?.key?.creator ?? ''));
  const online = useMirror(({ status }) => status.connection.state === 'online');
  useEffect(() => {
    if (online) remote.engine.groupTrust(chatMid).then(setGroup, () => undefined);
  }, [remote, chatMid, online]);
  if (!group) {
    return online ? null : (
      <p role="status">
        <Trans>When you are connected, this also says who made the key of the group.</Trans>
      </p>
    );
  }
  const verified = group.members.filter((member) => member.verified).length;
  const all = group.members.length;
  return (
    <>
      {creator !== '' && (
        <p>
          <Trans>
            The key of this group was made by <bdi>{creator}</bdi>.
          </Trans>
        </p>
      )}
      <p>
        <Plural
          value={all}
          one={`You have compared safety numbers with ${verified} of # member.`}
          other={`You have compared safety numbers with ${verified} of # members.`}
        />
      </p>
    </>
  );
}
