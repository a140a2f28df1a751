// Switches for how this account treats a chat: favourite, muted.
import { useLingui } from '@lingui/react/macro';
import { BellOff, Star } from 'lucide-react';
import { Switch } from '../../../../design/switch.tsx';
import { useMirror } from '../../../client/context.tsx';
import { useChatVerbs } from '../../../people/chat-verbs.ts';

export function ChatSwitches({ chatMid }: { chatMid: string }) {
  const { t } = useLingui();
  const chat = useMirror(({ chats }) => chats.get(chatMid));
  const verbs = useChatVerbs({ mid: chatMid, name: chat?.name ?? '', kind: chat?.kind ?? 'user' });
  if (!chat) return null;
  return (
    <div>
      <Switch icon={<Star />} label={t`Favourite`} checked={chat.favorite} onChange={(on) => verbs.favor(on)} />
      <Switch
        icon={<BellOff />}
        label={t`Mute`}
        hint={t`No notifications about new messages.`}
        checked={chat.muted}
        onChange={(on) => verbs.mute(on)}
      />
    </div>
  );
}
