// The list of members that is shown above the composer while the person writes a mention.
import { useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { isComposing } from '../../../../keys/key-press.ts';
import { folded } from '../../../../words/folded.ts';
import { ChatAvatar } from '../../../chat-avatar.tsx';
import { useMirror, useMirrorShallow } from '../../../client/context.tsx';
import { nameOf } from '../../../client/mirror-state.ts';
import styles from './composer.module.css';
import { begunMention, type Member, mentionedIn, withMention } from './mentions.ts';

const MOST_SHOWN = 6;
const NOBODY: readonly string[] = [];

export interface MentionsOptions {
  readonly chatMid: string;
  readonly text: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly write: (text: string) => void;
}

export interface Mentions {
  readonly list: ReactNode;
  /** Handles a key press if it is for the list, and then returns true. */
  onKeyDown(event: KeyboardEvent): boolean;
  /** Reads the position of the caret. Must be called when the caret has moved. */
  look(): void;
  /** Returns the mids that a text mentions. */
  of(text: string): readonly string[];
}

export function useMentions({ chatMid, text, field, write }: MentionsOptions): Mentions {
  const { t } = useLingui();
  const id = useId();
  const me = useMirror(({ status }) => status.session?.mid);
  const mids = useMirror(({ chats }) => {
    const chat = chats.get(chatMid);
    return chat && chat.kind !== 'user' ? chat.members : NOBODY;
  });
  const names = useMirrorShallow((state) => mids.map((mid) => nameOf(state, mid)));
  const [caret, setCaret] = useState(0);
  const [at, setAt] = useState(0);
  /** The index of the @ of the mention whose list was closed with Escape; -1 if there is none. */
  const [closed, setClosed] = useState(-1);
  /** The position of the caret after an inserted name. It is set as soon as the field has the new text. */
  const wantedCaret = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is what it waits for
  useLayoutEffect(() => {
    const wanted = wantedCaret.current;
    if (wanted !== undefined) field.current?.setSelectionRange(wanted, wanted);
    wantedCaret.current = undefined;
  }, [text]);
  const members = mids.map((mid, index): Member => ({ mid, name: names[index] ?? '' }));
  const others = members.filter(({ mid, name }) => mid !== me && name !== '');
  const begun = begunMention(text, caret);
  const wanted = folded(begun?.query ?? '');
  const shown =
    begun && begun.start !== closed
      ? others.filter(({ name }) => folded(name).includes(wanted)).slice(0, MOST_SHOWN)
      : [];
  const current = shown[Math.min(at, shown.length - 1)];
  const choose = ({ name }: Member): void => {
    if (!begun) return;
    const next = withMention(text, caret, begun, name);
    write(next.text);
    setCaret(next.caret);
    setAt(0);
    wantedCaret.current = next.caret;
    field.current?.focus();
  };
  const list = current && (
    <div id={id} role="listbox" aria-label={t`Members`} className={styles.mentions}>
      {shown.map((member) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the composer's
        <div
          key={member.mid}
          role="option"
          tabIndex={-1}
          aria-selected={member === current}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(member)}
        >
          <ChatAvatar mid={member.mid} size="s" />
          <bdi>{member.name}</bdi>
        </div>
      ))}
    </div>
  );
  return {
    list,
    look: () => setCaret(field.current?.selectionStart ?? 0),
    of: (said) => mentionedIn(said, others),
    onKeyDown(event) {
      if (!current || isComposing(event.nativeEvent)) return false;
      const step = { ArrowDown: 1, ArrowUp: shown.length - 1 }[event.key];
      if (step !== undefined) setAt((Math.min(at, shown.length - 1) + step) % shown.length);
      else if (event.key === 'Enter' || event.key === 'Tab') choose(current);
      else if (event.key === 'Escape') setClosed(begun?.start ?? -1);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
