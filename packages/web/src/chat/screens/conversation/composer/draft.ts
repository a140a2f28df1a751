// Stores the unfinished text that the user has typed: soon after a change, and at once when the chat is left.

export interface KeptDraft {
  readonly text: string;
  readonly replyTo?: string;
}

const SOON_MS = 300;

export interface DraftKeeper {
  keep(draft: KeptDraft): void;
  /** Drops a draft that is not stored yet. A stored draft is removed when the message is sent. */
  forget(): void;
  /** Stores the draft at once if it is not stored yet. */
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
    // If the draft cannot be stored, its text is still in the field.
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
