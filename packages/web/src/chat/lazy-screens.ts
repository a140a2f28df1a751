// The screens that are loaded when they are first shown.
import { lazy } from 'react';

export const ContactsPane = lazy(() => import('./screens/contacts/contacts-pane.tsx'));
export const ContactScreen = lazy(() => import('./screens/contacts/contact-screen.tsx'));
/** Loads the screen of a chat, so that it is there when a chat is opened. */
export const loadConversation = () => import('./screens/conversation/conversation-screen.tsx');
export const ConversationScreen = lazy(loadConversation);
export const SettingsPane = lazy(() => import('./screens/settings/settings-pane.tsx'));
export const SettingsScreen = lazy(() => import('./screens/settings/settings-screen.tsx'));
/** What works on all screens and is not seen at first. */
export const Background = lazy(() => import('./background.tsx'));
/** What watches over keys and devices on all screens. */
export const Guard = lazy(() => import('./guard/guard.tsx'));
export const AddScreen = lazy(() => import('./screens/contacts/add-screen.tsx'));
export const SearchPane = lazy(() => import('./screens/search/search-pane.tsx'));
