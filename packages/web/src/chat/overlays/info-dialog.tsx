// A dialog with the details of a message: when it was sent, how it was sealed, who has read it, and who reacted.

import { Trans, useLingui } from '@lingui/react/macro';
import { predefinedReactionTypes } from '@sealpost/contract';
import { Dialog } from '../../design/dialog.tsx';
import { fullTime } from '../../words/full-times.ts';
import { listOf } from '../../words/numbers.ts';
import { useMirror, useMirrorShallow } from '../client/context.tsx';
import { nameOf } from '../client/mirror-state.ts';
import { readersOf } from '../rows/readers-of.ts';
import { unsealedReason } from '../safety/unsealed-kinds.ts';
import { reactionSigns } from '../screens/conversation/reaction-signs.ts';
import styles from './overlays.module.css';

export interface InfoDialogProps {
  readonly chatMid: string;
  readonly messageId: string;
  readonly onClose: () => void;
}

const NOBODY: readonly string[] = [];

export default function InfoDialog({ chatMid, messageId, onClose }: InfoDialogProps) {
  const { t, i18n } = useLingui();
  const message = useMirror(({ conversations }) =>
    conversations.get(chatMid)?.messages.find(({ id }) => id === messageId),
  );
  const members = useMirror(({ chats }) => chats.get(chatMid)?.members ?? NOBODY);
  const readers = useMirror(({ conversations }) => conversations.get(chatMid)?.readers);
  const read = useMirrorShallow((state) =>
    message ? readersOf(message, members, readers ?? {}).read.map((mid) => nameOf(state, mid)) : [],
  );
  const unread = useMirrorShallow((state) =>
    message ? readersOf(message, members, readers ?? {}).unread.map((mid) => nameOf(state, mid)) : [],
  );
  const reactions = useMirrorShallow((state) =>
    (message?.reactions ?? []).map(({ fromUserMid, reactionType }) => {
      const sign = reactionSigns.find(
        ({ name }) => predefinedReactionTypes[name] === reactionType.predefinedReactionType,
      );
      return `${sign?.sign ?? ''} ${nameOf(state, fromUserMid)}`;
    }),
  );
  if (!message) return null;
  const seals = {
    opened: t`Sealed end to end. Only the members of this chat can read it.`,
    unproven: t`Sealed end to end, but its sender is not proved.`,
    plain: i18n._(unsealedReason(message.contentType).what),
    unopened: t`Sealed, and this browser could not open it.`,
  };
  return (
    <Dialog open onClose={onClose} title={t`About this message`} closeLabel={t`Close`} size="s">
      <dl className={styles.facts}>
        <dt>
          <Trans>Sent</Trans>
        </dt>
        <dd>{fullTime(i18n.locale, Number(message.createdTime))}</dd>
        <dt>
          <Trans>Seal</Trans>
        </dt>
        <dd>{seals[message.sealing.state]}</dd>
        <dt>
          <Trans>Read by</Trans>
        </dt>
        <dd>{read.length === 0 ? t`Nobody yet` : listOf(i18n.locale, read)}</dd>
        {unread.length > 0 && (
          <>
            <dt>
              <Trans>Not read by</Trans>
            </dt>
            <dd>{listOf(i18n.locale, unread)}</dd>
          </>
        )}
        {reactions.length > 0 && (
          <>
            <dt>
              <Trans>Reactions</Trans>
            </dt>
            <dd>{listOf(i18n.locale, reactions)}</dd>
          </>
        )}
      </dl>
    </Dialog>
  );
}
