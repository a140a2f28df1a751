// Moves the focus to a neighbour when the focused element is removed, such as a row of a list. Browsers would give the
// focus to the page as a whole, and a person who uses the keyboard would have to begin at the top.

const TABBABLE = 'a[href]:not([tabindex="-1"]), button:not(:disabled, [tabindex="-1"]), [tabindex="0"]';
/** Milliseconds to wait before moving the focus. A dialog that closes returns the focus itself within this time. */
const PATIENCE_MS = 60;

const tabbableIn = (node: Node | null): HTMLElement | undefined => {
  if (!(node instanceof HTMLElement)) return undefined;
  const found = node.matches(TABBABLE) ? [node] : node.querySelectorAll<HTMLElement>(TABBABLE);
  return [...found].find((element) => element.checkVisibility({ visibilityProperty: true }));
};

/** Returns an element that can take the focus: the next one after a removed node, otherwise one before the node. */
function neighbour({ nextSibling, previousSibling }: MutationRecord): HTMLElement | undefined {
  for (let node = nextSibling; node; node = node.nextSibling) {
    const found = tabbableIn(node);
    if (found) return found;
  }
  for (let node = previousSibling; node; node = node.previousSibling) {
    const found = tabbableIn(node);
    if (found) return found;
  }
  return undefined;
}

const canHaveFocus = (element: HTMLElement): boolean =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true });

/**
 * Begins to watch the focus, and moves it when the focused element is removed. Returns a function that stops watching.
 */
export function keepFocus(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  /** The last elements that had the focus, the newest at the end. */
  let had: readonly HTMLElement[] = [];
  /** The element that gets the focus if the newest element of `had` is removed. */
  let heir: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restore = (): void => {
    const last = had.at(-1);
    if (document.activeElement !== document.body || !last || canHaveFocus(last)) return;
    const next = [heir, ...had.toReversed()].find((element) => element && canHaveFocus(element));
    (next ?? tabbableIn(document.querySelector('main')))?.focus();
  };
  const watch = new MutationObserver((records) => {
    const last = had.at(-1);
    if (!last || canHaveFocus(last)) return;
    const removal = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(last)));
    // A dialog or menu returns the focus itself, and has no neighbour in the page.
    if (removal && !last.closest('[role=dialog], [role=menu]')) heir = neighbour(removal);
    clearTimeout(timer);
    timer = setTimeout(restore, PATIENCE_MS);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement)) return;
      heir = undefined;
      had = [...had.filter((element) => element !== target && element.isConnected), target].slice(-8);
    },
    { signal },
  );
  // A press on a place that cannot take the focus means that the person wants to leave the focused element.
  document.addEventListener(
    'focusout',
    ({ relatedTarget }) => {
      if (relatedTarget === null) setTimeout(() => forgetLeft());
    },
    { signal },
  );
  const forgetLeft = (): void => {
    const last = had.at(-1);
    if (document.activeElement === document.body && document.hasFocus() && last && canHaveFocus(last)) had = [];
  };
  return () => {
    ended.abort();
    watch.disconnect();
    clearTimeout(timer);
  };
}
