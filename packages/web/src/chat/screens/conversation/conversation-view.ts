// The state of an open conversation apart from its messages: which messages are selected, which message is highlighted,
// and where the button "back" leads. The state is dropped when the screen closes.
import { createContext, useContext } from 'react';
import { createStore, type StoreApi, useStore } from 'zustand';

export interface ViewState {
  /** The ids of the selected messages; undefined while no messages are being selected. */
  readonly selected: ReadonlySet<string> | undefined;
  /** The id of the message to which the user has just jumped. The message is highlighted for a moment. */
  readonly highlighted: string | undefined;
  /** The id of the message whose buttons can be reached with Tab. */
  readonly active: string | undefined;
  /** The ids of the messages from which the user jumped, most recent last. */
  readonly back: readonly string[];
}

/**
 * The functions of the conversation that its rows can call. The object stays the same while the conversation is open.
 */
export interface ConversationView {
  readonly chatMid: string;
  readonly store: StoreApi<ViewState>;
  reply(messageId: string): void;
  /** Goes to a message. `from` is the id of the message to which the button "back" then leads. */
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

/**
 * Returns the selection with a message added or removed. If it becomes empty, returns undefined, which ends the
 * selecting.
 */
export function toggled(selected: ReadonlySet<string> | undefined, id: string): ReadonlySet<string> | undefined {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next.size === 0 ? undefined : next;
}

const MOST_BACK = 20;

/** Returns `back` with the id of one more message. If the last id is the same, it is not added again. */
export const pushedBack = (back: readonly string[], from: string): readonly string[] =>
  back.at(-1) === from ? back : [...back, from].slice(-MOST_BACK);
