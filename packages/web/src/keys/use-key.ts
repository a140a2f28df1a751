// Runs a handler for a key of the keymap while a component is mounted.
import { useEffect, useEffectEvent } from 'react';
import { type KeyId, keyIdOf } from './keymap.ts';

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * Returns true if a menu or dialog is open over the page. It closes itself by Escape, also while it does not have the
 * focus yet.
 */
const isCovered = (by = '[role=menu][data-open], [role=dialog][data-open]'): boolean =>
  document.querySelector(by) !== null;

/** Returns true if the page is behind a modal dialog. Its keys must not move the focus behind the dialog. */
const isBehindDialog = (): boolean => isCovered('[role=dialog][data-open], [role=alertdialog][data-open]');

export function useKey(id: KeyId, run: (event: KeyboardEvent) => void): void {
  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || keyIdOf(event, isTextField(event.target)) !== id) return;
    if (id === 'close' && isCovered()) return;
    event.preventDefault();
    if (id === 'close' || !isBehindDialog()) run(event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onPress(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
