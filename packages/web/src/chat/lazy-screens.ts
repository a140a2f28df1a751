// The screens whose code is loaded when they are first shown.
import { part } from '../words/part.ts';
import { untilLoaded } from './until-loaded.ts';

export const ContactsPane = part(() => import('./screens/contacts/contacts-pane.tsx'));
export const ContactScreen = part(() => import('./screens/contacts/contact-screen.tsx'));
/** Loads the code of the chat screen. Called early, so that a chat opens at once. */
export const loadConversation = () => import('./screens/conversation/conversation-screen.tsx');
export const ConversationScreen = part(loadConversation);
export const SettingsPane = part(() => import('./screens/settings/settings-pane.tsx'));
export const SettingsScreen = part(() => import('./screens/settings/settings-screen.tsx'));
// The failure of one of the next two would take the whole page with it.
/** The components that are needed on all screens but not visible at first. */
export const Background = part(() => untilLoaded(() => import('./background.tsx')));
/** The warnings about keys and devices, shown on all screens. */
export const Guard = part(() => untilLoaded(() => import('./guard/guard.tsx')));
export const AddScreen = part(() => import('./screens/contacts/add-screen.tsx'));
/** What the main pane shows while no chat is open. */
export const NoChat = part(() => import('./screens/chats/no-chat.tsx'));
export const SearchPane = part(() => import('./screens/search/search-pane.tsx'));
