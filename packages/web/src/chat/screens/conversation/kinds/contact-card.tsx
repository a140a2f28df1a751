// A message with the card of a person, who can be opened or added to the contacts.
import { Trans, useLingui } from '@lingui/react/macro';
import { contactStatus, isMid } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { Link } from 'wouter';
import { ChatAvatar } from '../../../chat-avatar.tsx';
import { attempt } from '../../../client/attempt.ts';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { nameOf } from '../../../client/mirror-state.ts';
import { contactPath } from '../../../routes.ts';
import styles from './media.module.css';

export function ContactContent({ message: { contentMetadata } }: { message: StoredMessage }) {
  const { t } = useLingui();
  const remote = useRemote();
  const { mid = '', displayName = '' } = contentMetadata;
  const known = useMirror((state) => nameOf(state, mid));
  const isFriend = useMirror(({ contacts }) => contacts.get(mid)?.status === contactStatus.FRIEND);
  const isMe = useMirror(({ status }) => status.session?.mid === mid);
  // The name that this account uses for the person is preferred, because the sender can write any name into the
  // message.
  const name = known || displayName;
  const isUser = isMid(mid) && mid.startsWith('u');
  return (
    <div className={styles.card}>
      <div className={styles.row}>
        <ChatAvatar mid={mid} />
        <p className={styles.about}>
          <strong>
            <bdi>{name || t`Unknown`}</bdi>
          </strong>
          <span>{t`Contact`}</span>
        </p>
      </div>
      {isUser && !isMe && (
        <p className={styles.links}>
          {isFriend ? (
            <Link href={contactPath(mid)}>
              <Trans>Open the contact</Trans>
            </Link>
          ) : (
            <button type="button" onClick={() => void attempt(() => remote.contacts.add(mid))}>
              <Trans>Add to the contacts</Trans>
            </button>
          )}
        </p>
      )}
    </div>
  );
}
