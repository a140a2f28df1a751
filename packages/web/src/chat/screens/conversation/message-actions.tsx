// The small bar beside a message: reply, react, and a menu with all actions. The bar appears when the pointer or the
// focus is on the message. On a touch screen, a long press opens the menu.
import { useLingui } from '@lingui/react/macro';
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { CheckCheck, Copy, Forward, Info, MoreHorizontal, Reply, SmilePlus, Undo2 } from 'lucide-react';
import { IconButton } from '../../../design/button.tsx';
import { Menu } from '../../../design/menu.tsx';
import type { MenuItem } from '../../../design/menu-item.ts';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { openOverlay } from '../../overlays/overlays.ts';
import { useUnsend } from '../../unsend/use-unsend.ts';
import { toggled, useConversationView, useViewState } from './conversation-view.ts';
import styles from './message-menu.module.css';
import { reactionSigns } from './reaction-signs.ts';

export interface MessageActionsProps {
  readonly message: StoredMessage;
  readonly own: boolean;
}

export function MessageActions({ message, own }: MessageActionsProps) {
  const { t } = useLingui();
  const remote = useRemote();
  const { reply, chatMid, store } = useConversationView();
  const unsend = useUnsend();
  const tabIndex = useViewState(({ active }) => (active === message.id ? 0 : -1));
  const { id, text, contentType } = message;
  const signs = reactionSigns.map(({ name, sign, label }): MenuItem => {
    const react = () => remote.messaging.react(id, name);
    return { id: name, label: label(), sign, onSelect: () => void attempt(react) };
  });
  const items: MenuItem[] = [...signs, { id: 'reply', label: t`Reply`, icon: <Reply />, onSelect: () => reply(id) }];
  if (contentType === contentTypes.NONE && text !== undefined) {
    const copy = () => navigator.clipboard.writeText(text);
    items.push({ id: 'copy', label: t`Copy the text`, icon: <Copy />, onSelect: () => void attempt(copy) });
  }
  const forward = (): void => openOverlay({ kind: 'forward', messages: [message] });
  const showInfo = (): void => openOverlay({ kind: 'info', chatMid, messageId: id });
  const select = (): void => store.setState(({ selected }) => ({ selected: toggled(selected, id) }));
  items.push(
    { id: 'forward', label: t`Forward`, icon: <Forward />, onSelect: forward },
    { id: 'select', label: t`Select`, icon: <CheckCheck />, onSelect: select },
    { id: 'info', label: t`About this message`, icon: <Info />, onSelect: showInfo },
  );
  if (own) {
    items.push({ id: 'unsend', label: t`Unsend`, icon: <Undo2 />, danger: true, onSelect: () => unsend(id) });
  }
  const align = own ? 'end' : 'start';
  return (
    <div className={styles.bar} role="toolbar" aria-label={t`Actions`}>
      <IconButton
        label={t`Reply`}
        className={styles.action}
        tabIndex={tabIndex}
        data-action="reply"
        onClick={() => reply(id)}
      >
        <Reply />
      </IconButton>
      <Menu
        align={align}
        items={signs}
        trigger={
          <IconButton label={t`React`} className={styles.action} tabIndex={tabIndex} data-action="react">
            <SmilePlus />
          </IconButton>
        }
      />
      <Menu
        align={align}
        items={items}
        trigger={
          <IconButton label={t`More about this message`} className={styles.more} tabIndex={tabIndex} data-action="more">
            <MoreHorizontal />
          </IconButton>
        }
      />
      <button type="button" hidden tabIndex={-1} data-action="forward" onClick={forward} />
      {own && <button type="button" hidden tabIndex={-1} data-action="unsend" onClick={() => unsend(id)} />}
    </div>
  );
}
