// The addresses of all screens of the messenger: the part of the URL after the #.

/** The sections of the messenger. The section decides which list is shown beside the content. */
export type Section = 'chats' | 'contacts' | 'settings';

export const routes = {
  chats: '/',
  chat: '/chats/:mid/:pane?',
  contacts: '/contacts',
  contact: '/contacts/:mid',
  /** The screen for adding a person by user id. People send this address to each other. */
  add: '/add/:userid',
  settings: '/settings',
  setting: '/settings/:page',
} as const;

export const chatPath = (mid: string): string => `/chats/${mid}`;
/** Returns the path of a chat with its details open. */
export const detailsPath = (mid: string): string => `/chats/${mid}/details`;
export const addPath = (userid: string): string => `/add/${encodeURIComponent(userid)}`;
export const contactPath = (mid: string): string => `/contacts/${mid}`;
export const settingsPath = (page: string): string => `/settings/${page}`;

/** Options for going to the contacts with the form open that finds somebody new. */
export const findingPeople = { state: { finding: true } } as const;

/** Returns the section that a path belongs to. */
export function sectionOf(path: string): Section {
  if (path.startsWith('/contacts') || path.startsWith('/add')) return 'contacts';
  return path.startsWith('/settings') ? 'settings' : 'chats';
}

/** Returns the mid of the chat that a path shows; undefined if the path does not show a chat. */
export const chatOfPath = (path: string): string | undefined => /^\/chats\/([^/]+)/.exec(path)?.[1];
