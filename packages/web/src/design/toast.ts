// Short messages at the lower edge, with at most one action such as undoing.

export interface ToastOptions {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** What it is about. It takes the place of an earlier message about the same. */
  readonly about?: string;
  /** How long it stays, in milliseconds. */
  readonly stays?: number;
  /** Called when it goes without its action having been used. */
  readonly onEnd?: () => void;
}

export interface Toast extends ToastOptions {
  readonly key: number;
}

const STAYS_MS = 5_000;

let toasts: readonly Toast[] = [];
let shown: readonly Toast[] = [];
let lastKey = 0;
/** The ends of the shown messages. */
const ends = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

/** Returns how many messages may cover a part of the page. On a phone, one covers a row of the list. */
const room = (): number => (matchMedia('(max-width: 700px)').matches ? 1 : 3);

/** Shows the newest messages. The others come back when there is room, and then have their whole time. */
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

/** @param acted whether its action was used */
export function closeToast(key: number, acted = false): void {
  const closed = toasts.find((toast) => toast.key === key);
  set(toasts.filter((toast) => toast !== closed));
  if (!acted) closed?.onEnd?.();
}

/** Shows a message. Returns the function that takes it away. */
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
