// What a conversation shows beside its messages: which are selected, which one is highlighted, and where to go back to.
// It dies with the screen. Rows select their own part of it.
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';

export interface ViewState {
  /** The ids of the selected messages; undefined while nothing is being selected. */
  readonly selected: ReadonlySet<string> | undefined;
  /** The message that was jumped to, for a moment. */
  readonly highlighted: string | undefined;
  /** The message whose buttons can be reached with Tab. */
  readonly active: string | undefined;
  /** The messages from which one jumped, the last one at the end. */
  readonly back: readonly string[];
}

/** What rows can ask of the conversation. It never changes. */
export interface ConversationView {
  readonly chatMid: string;
  readonly store: StoreApi<ViewState>;
  reply(messageId: string): void;
  /** Shows a message; `from` is where the button back leads. */
  jump(messageId: string, from?: string): void;
}

export const createViewStore = (): StoreApi<ViewState> =>
  createStore(() => ({ selected: undefined, highlighted: undefined, active: undefined, back: [] }));

const Context = createContext<ConversationView | undefined>(undefined);
export const ConversationViewProvider = Context.Provider;

export function useConversationView(): ConversationView {
  const view = useContext(Context);
  if (!view) throw new Error('a part of a conversation is outside of its provider');
  return view;
}

export const useViewState = <T>(select: (state: ViewState) => T): T => useStore(useConversationView().store, select);

/** Returns the selection with one message more or less. The last one that goes ends the selecting. */
export function toggled(selected: ReadonlySet<string> | undefined, id: string): ReadonlySet<string> | undefined {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next.size === 0 ? undefined : next;
}

const MOST_BACK = 20;

/** Returns the way back with one place more. The same place twice in a row is one. */
export const pushedBack = (back: readonly string[], from: string): readonly string[] =>
  back.at(-1) === from ? back : [...back, from].slice(-MOST_BACK);
