// Makes screen readers say texts. The page has one live region for this. A text is removed from it after some seconds.
import { useSyncExternalStore } from 'react';

const STAYS_MS = 7_000;

let text = '';
let again = false;
let clearing: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function say(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

/** Lets screen readers say a text, after what they are saying now. */
export function announce(said: string): void {
  // A screen reader does not repeat an unchanged text. A character without width, at the end, makes it a different
  // text.
  again = !again;
  say(again ? said : `${said}\u200b`);
  clearTimeout(clearing);
  clearing = setTimeout(() => say(''), STAYS_MS);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function LiveRegion() {
  const said = useSyncExternalStore(subscribe, () => text);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" aria-atomic="true">
      {said}
    </div>
  );
}
