// The menu of a chat in the list. It opens at a button, or where the pointer is.
import { useLingui } from '@lingui/react/macro';
import { BellOff, BellRing, CheckCheck, Eraser, Eye, EyeOff, LogOut, Star, StarOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { AnchoredMenu, type MenuAnchor } from '../../design/anchored-menu.tsx';
import type { MenuItem } from '../../design/menu-item.ts';
import { useMirror } from '../client/context.tsx';
import { chatOfPath, routes } from '../routes.ts';
import { type ChatAction, chatActions } from './chat-actions.ts';
import { useChatVerbs } from './chat-verbs.ts';

export interface ChatMenuProps {
  readonly mid: string;
  readonly anchor: MenuAnchor;
  readonly onClose: () => void;
}

export default function ChatMenu({ mid, anchor, onClose }: ChatMenuProps) {
  const { t } = useLingui();
  const [path, go] = useLocation();
  const chat = useMirror(({ chats }) => chats.get(mid));
  const verbs = useChatVerbs({ mid, name: chat?.name ?? '', kind: chat?.kind ?? 'user' });
  if (!chat) return null;
  const leave = async (): Promise<void> => {
    if ((await verbs.leave()) && chatOfPath(path) === mid) go(routes.chats);
  };
  const all: Record<ChatAction, { label: string; icon: ReactNode; danger?: boolean; run: () => Promise<unknown> }> = {
    read: { label: t`Mark as read`, icon: <CheckCheck />, run: verbs.markRead },
    favor: { label: t`Add to favourites`, icon: <Star />, run: () => verbs.favor(true) },
    disfavor: { label: t`Remove from favourites`, icon: <StarOff />, run: () => verbs.favor(false) },
    mute: { label: t`Mute`, icon: <BellOff />, run: () => verbs.mute(true) },
    unmute: { label: t`Unmute`, icon: <BellRing />, run: () => verbs.mute(false) },
    hide: { label: t`Hide`, icon: <EyeOff />, run: verbs.hide },
    show: { label: t`Show in the list`, icon: <Eye />, run: verbs.show },
    'delete-history': { label: t`Delete the history`, icon: <Eraser />, danger: true, run: verbs.deleteHistory },
    leave: { label: t`Leave`, icon: <LogOut />, danger: true, run: leave },
  };
  const items = chatActions(chat).map((id): MenuItem => {
    const { run, ...shown } = all[id];
    return { id, ...shown, onSelect: () => void run() };
  });
  return <AnchoredMenu anchor={anchor} items={items} label={t`Actions for ${chat.name}`} onClose={onClose} />;
}
