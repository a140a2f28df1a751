// Says things to screen readers. There is one region for the whole page; what it said stays for some seconds.
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

/** Says a text politely: after what the screen reader is saying now. */
export function announce(said: string): void {
  // The same text twice would not be said again; a character without width makes it another text.
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
