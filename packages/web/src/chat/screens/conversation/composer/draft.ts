// Stores what the user began to write: soon after a change, and at once when the chat is left.

export interface KeptDraft {
  readonly text: string;
  readonly replyTo?: string;
}

const SOON_MS = 300;

export interface DraftKeeper {
  keep(draft: KeptDraft): void;
  /** Forgets what is not stored yet. Sending removes the stored draft. */
  forget(): void;
  /** Stores at once what is not stored yet. */
  flush(): void;
}

/** @param store stores a draft; undefined removes it */
export function createDraftKeeper(store: (draft: KeptDraft | undefined) => Promise<unknown>): DraftKeeper {
  let waiting: KeptDraft | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (!waiting) return;
    const { text } = waiting;
    // A draft that cannot be stored is still in the field.
    store(text.trim() === '' ? undefined : waiting).catch(() => undefined);
    waiting = undefined;
  };
  return {
    keep(draft) {
      waiting = draft;
      clearTimeout(timer);
      timer = setTimeout(flush, SOON_MS);
    },
    forget() {
      clearTimeout(timer);
      waiting = undefined;
    },
    flush,
  };
}
