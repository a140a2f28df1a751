// Keeps the focus near its place when the element that has it goes away, such as a row that is removed. Browsers would
// give the focus to the page as a whole, and whoever uses the keyboard would begin again at the top.

const TABBABLE = 'a[href]:not([tabindex="-1"]), button:not(:disabled, [tabindex="-1"]), [tabindex="0"]';
/** A dialog that closes gives the focus back in this time. */
const PATIENCE_MS = 60;

const tabbableIn = (node: Node | null): HTMLElement | undefined => {
  if (!(node instanceof HTMLElement)) return undefined;
  const found = node.matches(TABBABLE) ? [node] : node.querySelectorAll<HTMLElement>(TABBABLE);
  return [...found].find((element) => element.checkVisibility({ visibilityProperty: true }));
};

/** Returns what can have the focus among what stood after a removed node, or else before it. */
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

/** Begins to keep the focus. Returns the function that ends it. */
export function keepFocus(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  /** The elements that had the focus, the last one at the end. */
  let had: readonly HTMLElement[] = [];
  /** What gets the focus in the place of the last one. */
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
    // Dialogs and menus give the focus back themselves, and have no neighbours.
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
  // Somebody who presses beside all that can have the focus wants to leave it.
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
