// Short messages at the lower edge, with at most one action such as undoing.

export interface ToastOptions {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
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
let lastKey = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
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
  set([...toasts, { ...options, key }]);
  setTimeout(() => closeToast(key), options.stays ?? STAYS_MS);
  return () => closeToast(key);
}

/** For `useSyncExternalStore`: the messages that are shown now. */
export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): readonly Toast[] => toasts,
};
