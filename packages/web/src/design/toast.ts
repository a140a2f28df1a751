// Short messages at the lower edge of the page. Each message has at most one action, such as undoing.

export interface ToastOptions {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** The subject of the message. The message replaces an earlier one with the same subject. */
  readonly about?: string;
  /** Milliseconds for which the message stays. */
  readonly stays?: number;
  /** Called when the message goes away without its action having been used. */
  readonly onEnd?: () => void;
}

export interface Toast extends ToastOptions {
  readonly key: number;
}

const STAYS_MS = 5_000;

let toasts: readonly Toast[] = [];
let shown: readonly Toast[] = [];
let lastKey = 0;
/** The timers that remove the shown messages, by the keys of the messages. */
const ends = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

/**
 * Returns how many messages are shown at the same time. On a phone, only one message is shown, because it covers a row
 * of the list.
 */
const room = (): number => (matchMedia('(max-width: 700px)').matches ? 1 : 3);

/** Replaces all messages, and shows the newest. Older ones are shown again when there is room, for their full time. */
function set(next: readonly Toast[]): void {
  toasts = next;
  shown = next.slice(-room());
  for (const [key, end] of ends) {
    if (shown.some((toast) => toast.key === key)) continue;
    clearTimeout(end);
    ends.delete(key);
  }
  for (const { key, stays = STAYS_MS } of shown)
    if (!ends.has(key))
      ends.set(
        key,
        setTimeout(() => closeToast(key), stays),
      );
  for (const listener of listeners) listener();
}

/** @param acted true if the person used the action of the message */
export function closeToast(key: number, acted = false): void {
  const closed = toasts.find((toast) => toast.key === key);
  set(toasts.filter((toast) => toast !== closed));
  if (!acted) closed?.onEnd?.();
}

/** Shows a message. Returns the function that removes it. */
export function toast(options: ToastOptions): () => void {
  const key = ++lastKey;
  const earlier = toasts.find(({ about }) => about !== undefined && about === options.about);
  if (earlier) closeToast(earlier.key);
  set([...toasts, { ...options, key }]);
  return () => closeToast(key);
}

/** For `useSyncExternalStore`: the messages that are shown now. */
export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): readonly Toast[] => shown,
};
