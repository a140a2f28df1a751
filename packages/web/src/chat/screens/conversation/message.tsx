// One message: who sent it, its content, when, whether it is sealed and read.
import { useLingui } from '@lingui/react/macro';
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { memo } from 'react';
import { cx } from '../../../design/cx.ts';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { isUnsent } from '../../rows/preview.ts';
import { systemText } from '../../rows/system-text.ts';
import { contentOf } from './kinds/kinds.tsx';
import styles from './message.module.css';
import { MessageFoot } from './message-foot.tsx';
import { MessageMenu } from './message-menu.tsx';
import { Quote } from './quote.tsx';
import { Reactions } from './reactions.tsx';

export interface MessageProps {
  readonly message: StoredMessage;
  readonly chatMid: string;
  readonly first: boolean;
  readonly last: boolean;
  readonly onReply: (messageId: string) => void;
}

export const Message = memo(function Message({ message, chatMid, first, last, onReply }: MessageProps) {
  const { t } = useLingui();
  const own = useMirror(({ status }) => status.session?.mid === message.from);
  const inGroup = useMirror(({ chats }) => chats.get(chatMid)?.kind !== 'user');
  const sender = useMirror((state) => nameOf(state, message.from));
  if (message.contentType === contentTypes.CHATEVENT) return <SystemMessage message={message} />;
  const Content = contentOf(message);
  const showsSender = inGroup && !own;
  return (
    <article
      className={cx(styles.row, own && styles.own, first && styles.first, last && styles.last)}
      aria-label={own ? t`You` : sender}
      data-message={message.id}
    >
      {showsSender && <span className={styles.avatar}>{last && <ChatAvatar mid={message.from} size="s" />}</span>}
      <div className={styles.stack}>
        {showsSender && first && (
          <p className={styles.sender}>
            <bdi>{sender || t`Unknown`}</bdi>
          </p>
        )}
        <div className={styles.bubble} data-kind={message.contentType}>
          {message.relatedMessageId !== undefined && !isUnsent(message) && (
            <Quote chatMid={chatMid} messageId={message.relatedMessageId} />
          )}
          <Content message={message} />
          <MessageFoot message={message} chatMid={chatMid} own={own} />
        </div>
        <Reactions message={message} />
      </div>
      <MessageMenu message={message} own={own} onReply={onReply} />
    </article>
  );
});

function SystemMessage({ message }: { message: StoredMessage }) {
  const text = useMirror((state) => systemText(message, (mid) => nameOf(state, mid)));
  return <p className={styles.system}>{text}</p>;
}
