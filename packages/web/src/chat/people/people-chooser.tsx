// A component to choose people. It shows the chosen people as chips, a search field, and the list of people.
import { Trans, useLingui } from '@lingui/react/macro';
import { Check, Search, UserRoundPlus, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { movedTo } from '../../access/roving.ts';
import { cx } from '../../design/cx.ts';
import { Empty } from '../../design/empty.tsx';
import { isComposing } from '../../keys/key-press.ts';
import { ChatAvatar } from '../chat-avatar.tsx';
import { useMirror } from '../client/context.tsx';
import { nameOf } from '../client/mirror-state.ts';
import styles from './people-chooser.module.css';
import { choosable } from './people-lists.ts';

export interface PeopleChooserProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** Called when Enter is pressed in the empty search field after somebody was chosen. */
  readonly onDone: () => void;
  /** The mids of people who are not offered, for example because they are already in the chat. */
  readonly without?: ReadonlySet<string>;
  /** The people who are shown last, with a note below their names. */
  readonly last?: { readonly mids: ReadonlySet<string>; readonly note: string };
  /** The text to show if there is nobody to choose. */
  readonly nobody: string;
  /** Gets the search field, for a dialog that gives it the focus. */
  readonly search: RefObject<HTMLInputElement | null>;
}

export function PeopleChooser({ chosen, onChange, onDone, without, last, nobody, search }: PeopleChooserProps) {
  const { t, i18n } = useLingui();
  const contacts = useMirror((state) => state.contacts);
  const [query, setQuery] = useState('');
  const [focused, setFocused] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const mids = useMemo(() => {
    const place = (mid: string): number => (last?.mids.has(mid) ? 1 : 0);
    const all = choosable(contacts, query, i18n.locale, without);
    return all.sort((one, other) => place(one) - place(other));
  }, [contacts, query, i18n.locale, without, last]);
  const toggle = (mid: string): void => {
    onChange(chosen.includes(mid) ? chosen.filter((other) => other !== mid) : [...chosen, mid]);
    setQuery('');
  };
  const onSearchKey = (event: KeyboardEvent): void => {
    const [first] = mids;
    if (event.key === 'Enter' && !isComposing(event.nativeEvent)) {
      event.preventDefault();
      if (query.trim() === '' && chosen.length > 0) onDone();
      else if (query.trim() !== '' && first !== undefined) toggle(first);
    } else if (event.key === 'Backspace' && query === '' && chosen.length > 0) onChange(chosen.slice(0, -1));
  };
  const onListKey = (event: KeyboardEvent): void => {
    const next = movedTo(event.key, focused, mids.length);
    if (next === undefined) return;
    event.preventDefault();
    setFocused(next);
    list.current?.querySelectorAll<HTMLElement>('[role="option"]')[next]?.focus();
  };
  return (
    <div className={styles.chooser}>
      <div className={styles.field}>
        <Search aria-hidden="true" />
        {chosen.map((mid) => (
          <Chip key={mid} mid={mid} onRemove={() => toggle(mid)} />
        ))}
        <input
          ref={search}
          type="search"
          dir="auto"
          value={query}
          placeholder={chosen.length === 0 ? t`Search by name` : undefined}
          aria-label={t`Search people`}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onSearchKey}
        />
      </div>
      {mids.length === 0 ? (
        <Empty icon={<UserRoundPlus />} title={query === '' ? nobody : t`Nobody has that name`} />
      ) : (
        <div
          ref={list}
          className={styles.list}
          role="listbox"
          aria-multiselectable="true"
          aria-label={t`People`}
          tabIndex={-1}
          onKeyDown={onListKey}
        >
          {mids.map((mid, index) => (
            <Choice
              key={mid}
              mid={mid}
              note={last?.mids.has(mid) ? last.note : undefined}
              chosen={chosen.includes(mid)}
              tabIndex={index === Math.min(focused, mids.length - 1) ? 0 : -1}
              onFocus={() => setFocused(index)}
              onToggle={() => toggle(mid)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function Chip({ mid, onRemove }: { mid: string; onRemove: () => void }) {
  const { t } = useLingui();
  const name = useMirror((state) => nameOf(state, mid));
  return (
    <button type="button" className={styles.chip} aria-label={t`Do not choose ${name}`} onClick={onRemove}>
      <bdi>{name}</bdi>
      <X aria-hidden="true" />
    </button>
  );
}

interface ChoiceProps {
  readonly mid: string;
  readonly note: string | undefined;
  readonly chosen: boolean;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
}

function Choice({ mid, note, chosen, tabIndex, onFocus, onToggle }: ChoiceProps) {
  const name = useMirror((state) => nameOf(state, mid));
  return (
    <button
      type="button"
      role="option"
      aria-selected={chosen}
      className={styles.choice}
      tabIndex={tabIndex}
      onFocus={onFocus}
      onClick={onToggle}
    >
      <ChatAvatar mid={mid} />
      <span className={styles.name}>
        <bdi>{name || <Trans>Unknown</Trans>}</bdi>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </span>
      <span className={cx(styles.mark, chosen && styles.chosen)}>{chosen && <Check aria-hidden="true" />}</span>
    </button>
  );
}
