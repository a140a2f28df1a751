// Follows the theme and the language that were chosen in another tab.
import { applyTheme } from '../design/theme.ts';
import { followLanguage } from '../words/change-language.ts';

/** Calls a listener when another tab has stored something. Returns a function that ends this. */
export function onOtherTab(listener: () => void): () => void {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

export const followOtherTabs = (): (() => void) =>
  onOtherTab(() => {
    applyTheme();
    // Without a connection, the page keeps its language until it is loaded again.
    followLanguage().catch(() => undefined);
  });
