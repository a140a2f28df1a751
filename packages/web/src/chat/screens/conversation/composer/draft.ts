// Stores the unfinished text that the user has typed: soon after a change, and at once when the chat is left.

export interface KeptDraft {
  readonly text: string;
  readonly replyTo?: string;
}

const SOON_MS = 300;

export interface DraftKeeper {
  keep(draft: KeptDraft): void;
  /** Empties the draft, because its text is being sent. The stored draft goes when the text is in the outbox. */
  send(): void;
  /** Called when the text is in the outbox. Stores again what was typed since `send`. */
  sent(): void;
  /** Called when the text could not be sent. Puts it before what was typed since `send`, and returns the draft. */
  unsent(said: KeptDraft): KeptDraft;
  /** Stores the draft at once if it is not stored yet. */
  flush(): void;
}

interface Unstored {
  /** Undefined if the draft is removed. */
  readonly draft: KeptDraft | undefined;
}

/** The drafts that are not stored yet, by account and chat. */
const unstored = new Map<string, Unstored>();
/** What was typed last in this page, by account and chat. */
const typed = new Map<string, KeptDraft>();

/** Returns the draft if it is not stored yet. A composer that is opened meanwhile begins with it. */
export const unstoredDraft = (key: string): Unstored | undefined => unstored.get(key);

/**
 * @param key names the account and the chat
 * @param store stores a draft; undefined removes it
 */
export function createDraftKeeper(key: string, store: (draft: KeptDraft | undefined) => Promise<unknown>): DraftKeeper {
  let waiting: KeptDraft | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Stands for the empty draft while a text is being sent. */
  const nothing: Unstored = { draft: undefined };
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
  const keep = (draft: KeptDraft): void => {
    typed.set(key, draft);
    waiting = draft;
    clearTimeout(timer);
    timer = setTimeout(flush, SOON_MS);
  };
  return {
    keep,
    send() {
      clearTimeout(timer);
      waiting = undefined;
      typed.delete(key);
      unstored.set(key, nothing);
    },
    sent() {
      if (unstored.get(key) === nothing) unstored.delete(key);
      const since = typed.get(key);
      if (since) keep(since);
    },
    unsent(said) {
      const since = typed.get(key)?.text ?? '';
      const draft = { ...said, text: [said.text, since].filter((text) => text.trim() !== '').join('\n') };
      keep(draft);
      return draft;
    },
    flush,
  };
}
