// Goes to a message, even an old one, and highlights it for a moment. Remembers the message to go back to.
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { StoreApi } from 'zustand';
import { toast } from '../../../design/toast.ts';
import { useMirrorActions } from '../../client/context.tsx';
import { messageIsShown, useWantedMessage } from '../../wanted-message.ts';
import { pushedBack, type ViewState } from './conversation-view.ts';

const HIGHLIGHT_MS = 1_600;

export interface JumpOptions {
  readonly chatMid: string;
  readonly view: StoreApi<ViewState>;
  /** Scrolls to a message that is loaded. */
  readonly show: (messageId: string) => void;
  /** True when the first messages of the list are loaded. */
  readonly ready: boolean;
}

export function useJump({ chatMid, view, show, ready }: JumpOptions) {
  const { t } = useLingui();
  const mirror = useMirrorActions();
  const running = useRef<AbortController>(undefined);
  const wanted = useWantedMessage(chatMid);

  async function jump(messageId: string, from?: string): Promise<void> {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    const found = await mirror.loadBackTo(chatMid, messageId, signal);
    if (signal.aborted) return;
    if (!found)
      return void toast({ text: t`This message is not here. It may be gone, or the server cannot be reached.` });
    const { back } = view.getState();
    view.setState({ highlighted: messageId, ...(from !== undefined && { back: pushedBack(back, from) }) });
    // The rows of messages that were just loaded exist only after the next rendering.
    requestAnimationFrame(() => show(messageId));
    setTimeout(
      () => view.getState().highlighted === messageId && view.setState({ highlighted: undefined }),
      HIGHLIGHT_MS,
    );
  }

  function goBack(): void {
    const { back } = view.getState();
    const last = back.at(-1);
    if (last === undefined) return;
    view.setState({ back: back.slice(0, -1) });
    void jump(last);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another wanted message starts a jump
  useEffect(() => {
    if (!ready || wanted === undefined) return;
    messageIsShown();
    void jump(wanted);
  }, [ready, wanted]);
  useEffect(() => () => running.current?.abort(), []);
  return { jump, goBack };
}
