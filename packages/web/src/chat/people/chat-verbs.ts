// The actions for a chat as a whole. The menu of the list of chats and the details of a chat use them.
import { useLingui } from '@lingui/react/macro';
import type { ChatView } from '@sealpost/sdk';
import { toast } from '../../design/toast.ts';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import { ask } from '../overlays/overlays.ts';

export interface ChatVerbs {
  mute(muted: boolean): Promise<boolean>;
  favor(favorite: boolean): Promise<boolean>;
  markRead(): Promise<boolean>;
  show(): Promise<boolean>;
  /** Hides the chat, and offers to undo this for some seconds. */
  hide(): Promise<boolean>;
  /** Asks for confirmation first. Resolves to true if the history was deleted. */
  deleteHistory(): Promise<boolean>;
  leave(): Promise<boolean>;
}

export function useChatVerbs({ mid, name, kind }: Pick<ChatView, 'mid' | 'name' | 'kind'>): ChatVerbs {
  const { t } = useLingui();
  const { chats, messaging } = useRemote();
  const show = () => attempt(() => messaging.show(mid));
  return {
    mute: (muted) => attempt(() => chats.setMuted(mid, muted)),
    favor: (favorite) => attempt(() => chats.setFavorite(mid, favorite)),
    markRead: () => attempt(() => messaging.markRead(mid)),
    show,
    async hide() {
      const done = await attempt(() => messaging.hide(mid));
      if (done)
        toast({ text: t`The chat is hidden until a new message comes.`, action: { label: t`Undo`, run: show } });
      return done;
    },
    async deleteHistory() {
      const yes = await ask({
        title: t`Delete the history?`,
        text: t`All messages of this chat are deleted for you, on all of your devices. Others keep them.`,
        action: t`Delete`,
      });
      return yes && attempt(() => messaging.removeHistory(mid));
    },
    async leave() {
      const yes = await ask({
        title: t`Leave ${name}?`,
        text:
          kind === 'room'
            ? t`You no longer get its messages. Somebody in it can add you again.`
            : t`You no longer get its messages. Somebody in it must invite you to come back.`,
        action: t`Leave`,
      });
      return yes && attempt(() => chats.leave(mid));
    },
  };
}
