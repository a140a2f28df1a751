// The addresses of all screens of the messenger, behind the #.

/** The parts of the shell: what stands in the list pane and what in the main pane. */
export type Section = 'chats' | 'contacts' | 'settings';

export const routes = {
  chats: '/',
  chat: '/chats/:mid',
  contacts: '/contacts',
  contact: '/contacts/:mid',
  settings: '/settings',
  setting: '/settings/:page',
} as const;

export const chatPath = (mid: string): string => `/chats/${mid}`;
export const contactPath = (mid: string): string => `/contacts/${mid}`;
export const settingsPath = (page: string): string => `/settings/${page}`;

/** Returns the section that a path belongs to. */
export function sectionOf(path: string): Section {
  if (path.startsWith('/contacts')) return 'contacts';
  return path.startsWith('/settings') ? 'settings' : 'chats';
}
