// A search field. The keys / and Ctrl-K move the focus to it from anywhere on the page.
import { useLingui } from '@lingui/react/macro';
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isComposing } from '../../keys/key-press.ts';
import styles from './search-box.module.css';

export interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

export function SearchBox({ label, value, onValue }: SearchBoxProps) {
  const { t } = useLingui();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isSlash = event.key === '/' && !isTextField(event.target);
      const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if ((!isSlash && !isCtrlK) || isComposing(event) || document.querySelector('[role=dialog]')) return;
      event.preventDefault();
      field.current?.select();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <div className={styles.search}>
      <Search aria-hidden="true" />
      <input
        ref={field}
        type="search"
        value={value}
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts="/ Control+K"
        title={t`Press / to search`}
        onChange={({ target }) => onValue(target.value)}
      />
    </div>
  );
}
