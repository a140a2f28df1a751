// What one can do with a message: react, answer, copy, unsend.
import { useLingui } from '@lingui/react/macro';
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { Copy, MoreHorizontal, Reply, Undo2 } from 'lucide-react';
import { IconButton } from '../../../design/button.tsx';
import { Menu } from '../../../design/menu.tsx';
import type { MenuItem } from '../../../design/menu-item.ts';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { isUnsent } from '../../rows/preview.ts';
import styles from './message-menu.module.css';
import { reactionSigns } from './reaction-signs.ts';

export interface MessageMenuProps {
  readonly message: StoredMessage;
  readonly own: boolean;
  readonly onReply: (messageId: string) => void;
}

export function MessageMenu({ message, own, onReply }: MessageMenuProps) {
  const { t } = useLingui();
  const remote = useRemote();
  const { id, text, contentType } = message;
  if (isUnsent(message)) return null;
  const items: MenuItem[] = [
    ...reactionSigns.map(({ name, sign, label }) => ({
      id: name,
      label: `${sign} ${label()}`,
      onSelect: () => void attempt(() => remote.messaging.react(id, name)),
    })),
    { id: 'reply', label: t`Reply`, icon: <Reply />, onSelect: () => onReply(id) },
  ];
  if (contentType === contentTypes.NONE && text !== undefined) {
    const copy = () => navigator.clipboard.writeText(text);
    items.push({ id: 'copy', label: t`Copy the text`, icon: <Copy />, onSelect: () => void attempt(copy) });
  }
  if (own) {
    const unsend = () => remote.messaging.unsend(id);
    items.push({ id: 'unsend', label: t`Unsend`, icon: <Undo2 />, danger: true, onSelect: () => void attempt(unsend) });
  }
  const trigger = (
    <IconButton label={t`More about this message`} className={styles.more}>
      <MoreHorizontal />
    </IconButton>
  );
  return <Menu trigger={trigger} items={items} align={own ? 'end' : 'start'} />;
}
