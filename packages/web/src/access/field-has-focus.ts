/**
 * Returns true if a text field of the page itself has the focus. When a menu or dialog closes because the user goes on
 * in such a field, the focus stays there.
 */
export function fieldHasFocus(): boolean {
  const { activeElement } = document;
  return (
    activeElement !== null &&
    /^(INPUT|TEXTAREA)$/.test(activeElement.tagName) &&
    activeElement.closest('[role=dialog], [role=menu]') === null
  );
}
