// The screens that are loaded when they are first shown.
import { lazy } from 'react';

export const ContactsPane = lazy(() => import('./screens/contacts/contacts-pane.tsx'));
export const ContactScreen = lazy(() => import('./screens/contacts/contact-screen.tsx'));
export const SettingsPane = lazy(() => import('./screens/settings/settings-pane.tsx'));
export const SettingsScreen = lazy(() => import('./screens/settings/settings-screen.tsx'));
/** What watches over keys and devices on all screens. */
export const Guard = lazy(() => import('./guard/guard.tsx'));
