// Runs a handler for a key of the keymap while a component is mounted.
import { useEffect, useEffectEvent } from 'react';
import { type KeyId, keyIdOf } from './keymap.ts';

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * Returns true if Escape is meant for a menu or dialog over the page. That closes itself, also while it does not have the
 * focus yet.
 */
const isForOverlay = (id: KeyId): boolean =>
  id === 'close' && document.querySelector('[role=menu][data-open], [role=dialog][data-open]') !== null;

export function useKey(id: KeyId, run: (event: KeyboardEvent) => void): void {
  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || keyIdOf(event, isTextField(event.target)) !== id || isForOverlay(id)) return;
    event.preventDefault();
    run(event);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onPress(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
