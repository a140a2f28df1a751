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

interface Unstored {
  /** Undefined if the draft is removed. */
  readonly draft: KeptDraft | undefined;
}

/** The drafts that are not stored yet, by account and chat. */
const unstored = new Map<string, Unstored>();

/** Returns the draft if it is not stored yet. A composer that is opened meanwhile begins with it. */
export const unstoredDraft = (key: string): Unstored | undefined => unstored.get(key);

/**
 * @param key names the account and the chat
 * @param store stores a draft; undefined removes it
 */
export function createDraftKeeper(key: string, store: (draft: KeptDraft | undefined) => Promise<unknown>): DraftKeeper {
  let waiting: KeptDraft | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    if (!waiting) return;
    const now = { draft: waiting.text.trim() === '' ? undefined : waiting };
    waiting = undefined;
    unstored.set(key, now);
    const done = (): void => {
      if (unstored.get(key) === now) unstored.delete(key);
    };
    // A draft that cannot be stored stays here, so it is there as long as the page is.
    store(now.draft).then(done, () => undefined);
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
      unstored.delete(key);
    },
    flush,
  };
}
