// A message in a conversation: who sent it, its content, when it was sent, and whether it is sealed and read.
import { useLingui } from '@lingui/react/macro';
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { memo } from 'react';
import { cx } from '../../../design/cx.ts';
import { timeOfDay } from '../../../words/dates.ts';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { isUnsent, previewOf } from '../../rows/preview.ts';
import { systemText } from '../../rows/system-text.ts';
import { useIsUnsending } from '../../unsend/use-unsend.ts';
import { toggled, useConversationView, useViewState } from './conversation-view.ts';
import { contentOf } from './kinds/kinds.tsx';
import { UnsentContent } from './kinds/unsent.tsx';
import styles from './message.module.css';
import { MessageActions } from './message-actions.tsx';
import { MessageFoot } from './message-foot.tsx';
import { Quote } from './quote.tsx';
import { Reactions } from './reactions.tsx';
import { useLongPress } from './use-long-press.ts';

export interface MessageProps {
  readonly message: StoredMessage;
  readonly chatMid: string;
  readonly first: boolean;
  readonly last: boolean;
}

export const Message = memo(function Message({ message, chatMid, first, last }: MessageProps) {
  const { t } = useLingui();
  const { store } = useConversationView();
  const own = useMirror(({ status }) => status.session?.mid === message.from);
  const inGroup = useMirror(({ chats }) => chats.get(chatMid)?.kind !== 'user');
  const sender = useMirror((state) => nameOf(state, message.from));
  const highlighted = useViewState((state) => state.highlighted === message.id);
  // The Tab key moves the focus to the message that had it last. This message also gets the focus when its menu closes.
  const isActive = useViewState((state) => state.active === message.id);
  const press = useLongPress((row) => row.querySelector<HTMLElement>('[data-action="more"]')?.click());
  if (message.contentType === contentTypes.CHATEVENT) return <SystemMessage message={message} />;
  const showsSender = inGroup && !own;
  return (
    <article
      className={cx(
        styles.row,
        own && styles.own,
        first && styles.first,
        last && styles.last,
        highlighted && styles.highlighted,
      )}
      aria-label={own ? t`You` : sender}
      data-message={message.id}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => store.setState({ active: message.id })}
      {...press}
    >
      <SelectBox message={message} from={own ? t`You` : sender} />
      {showsSender && <span className={styles.avatar}>{last && <ChatAvatar mid={message.from} size="s" />}</span>}
      <div className={styles.stack}>
        {showsSender && first && (
          <p className={styles.sender}>
            <bdi>{sender || t`Unknown`}</bdi>
          </p>
        )}
        <Bubble message={message} chatMid={chatMid} own={own} />
      </div>
      {!isUnsent(message) && <MessageActions message={message} own={own} />}
    </article>
  );
});

function Bubble({ message, chatMid, own }: { message: StoredMessage; chatMid: string; own: boolean }) {
  const unsent = useIsUnsending(message.id) || isUnsent(message);
  const Content = unsent ? UnsentContent : contentOf(message);
  return (
    <>
      <div className={styles.bubble} data-kind={message.contentType}>
        {message.relatedMessageId !== undefined && !unsent && (
          <Quote chatMid={chatMid} messageId={message.relatedMessageId} from={message.id} />
        )}
        <Content message={message} />
        <MessageFoot message={message} chatMid={chatMid} own={own} />
      </div>
      {!unsent && <Reactions message={message} />}
    </>
  );
}

/** The checkbox that selects a message. It is shown only while messages are being selected. */
function SelectBox({ message, from }: { message: StoredMessage; from: string }) {
  const { t, i18n } = useLingui();
  const { id, createdTime } = message;
  const { store } = useConversationView();
  const selecting = useViewState(({ selected }) => selected !== undefined);
  const selected = useViewState((state) => state.selected?.has(id) ?? false);
  if (!selecting) return null;
  const content = previewOf(message, () => '');
  const time = timeOfDay(i18n.locale, Number(createdTime));
  return (
    <label className={styles.select}>
      <input
        type="checkbox"
        checked={selected}
        aria-label={t`Select: ${content}, ${from}, ${time}`}
        onChange={() => store.setState({ selected: toggled(store.getState().selected, id) })}
      />
    </label>
  );
}

function SystemMessage({ message }: { message: StoredMessage }) {
  const text = useMirror((state) => systemText(message, (mid) => nameOf(state, mid)));
  return <p className={styles.system}>{text}</p>;
}
