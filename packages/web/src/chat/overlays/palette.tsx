// A dialog in which the user types a part of a name to open a chat or person, or to run an action.
import { useLingui } from '@lingui/react/macro';
import { ArrowRight } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { movedTo } from '../../access/roving.ts';
import { Dialog } from '../../design/dialog.tsx';
import { chooseTheme } from '../../design/theme.ts';
import { isComposing } from '../../keys/key-press.ts';
import { ChatAvatar } from '../chat-avatar.tsx';
import { chatPath, routes, settingsPath } from '../routes.ts';
import { useOpenSearch } from '../use-open-search.ts';
import { type Findable, found } from './found.ts';
import styles from './overlays.module.css';
import { openOverlay } from './overlays.ts';
import { usePlaces } from './use-places.ts';

const MOST = 50;

interface Entry extends Findable {
  readonly run: () => void;
  readonly isPlace?: boolean;
}

function useEntries(): readonly Entry[] {
  const { t } = useLingui();
  const [, go] = useLocation();
  const places = usePlaces();
  const openSearch = useOpenSearch();
  return [
    ...places.map((place) => ({ ...place, isPlace: true, run: () => go(chatPath(place.id)) })),
    { id: 'new', name: t`New chat`, run: () => openOverlay({ kind: 'new-chat' }) },
    { id: 'new-group', name: t`New group`, run: () => openOverlay({ kind: 'new-chat' }) },
    { id: 'search', name: t`Search messages`, run: () => openSearch() },
    { id: 'settings', name: t`Settings`, run: () => go(routes.settings) },
    { id: 'appearance', name: t`Appearance`, run: () => go(settingsPath('appearance')) },
    { id: 'account', name: t`Account`, run: () => go(settingsPath('account')) },
    { id: 'security', name: t`Security`, run: () => go(settingsPath('security')) },
    { id: 'devices', name: t`Devices`, run: () => go(settingsPath('devices')) },
    { id: 'logout', name: t`Log out`, run: () => go(settingsPath('account')) },
    { id: 'light', name: t`Light theme`, run: () => chooseTheme('light') },
    { id: 'dark', name: t`Dark theme`, run: () => chooseTheme('dark') },
    { id: 'keys', name: t`Show the keyboard shortcuts`, run: () => openOverlay({ kind: 'key-sheet' }) },
  ];
}

export default function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const entries = useEntries();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const shown = found(entries, query, MOST);
  const choose = (entry: Entry | undefined): void => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    const next = event.key === 'Home' || event.key === 'End' ? undefined : movedTo(event.key, at, shown.length);
    if (next === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === undefined) choose(shown[at]);
    else {
      setAt(next);
      document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' });
    }
  };
  return (
    <Dialog open onClose={onClose} title={t`Go to`} closeLabel={t`Close`} initialFocus={field}>
      <input
        dir="auto"
        ref={field}
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={shown[at] ? `${list}-${at}` : ''}
        aria-label={t`Go to a chat, a person or an action`}
        placeholder={t`Go to a chat, a person or an action`}
        className={styles.search}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label={t`Found`} className={styles.list}>
        {shown.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's
          <div
            key={entry.id}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={styles.choice}
            onClick={() => choose(entry)}
          >
            {entry.isPlace ? <ChatAvatar mid={entry.id} size="s" /> : <ArrowRight aria-hidden="true" />}
            <span className={styles.name}>
              <bdi>{entry.name || t`Unknown`}</bdi>
            </span>
          </div>
        ))}
        {shown.length === 0 && <p className={styles.nothing}>{t`Nothing has that name`}</p>}
      </div>
    </Dialog>
  );
}
