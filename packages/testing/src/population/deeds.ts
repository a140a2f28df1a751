// The actions of people, as data. A history is a list of deeds in the order of time; `perform.ts` does them on a
// server.

/** The content of a message. People, chats and messages are named by their numbers. */
export type Content =
  | { readonly kind: 'text'; readonly text: string; readonly mentions?: readonly number[] }
  | { readonly kind: 'sticker'; readonly packageId: string; readonly stickerId: string }
  | { readonly kind: 'picture'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'place'; readonly title: string; readonly latitude: number; readonly longitude: number }
  | { readonly kind: 'contact'; readonly person: number };

export type Reaction = 'NICE' | 'LOVE' | 'FUN' | 'AMAZING' | 'SAD' | 'OMG';

/** An action of a person about another person. */
export interface PersonAction {
  readonly do: 'befriend' | 'block' | 'favour' | 'mute';
  readonly person: number;
}

/** Creates a group or room with its members. */
export interface CreateAction {
  readonly do: 'create';
  readonly chat: number;
}

/** An action of a member about a group. */
export type ChatAction =
  | { readonly do: 'accept' | 'leave' | 'favourChat' | 'muteChat'; readonly chat: number }
  | { readonly do: 'invite'; readonly chat: number; readonly person: number }
  | { readonly do: 'rename'; readonly chat: number; readonly name: string };

export interface SendAction {
  readonly do: 'send';
  readonly chat: number;
  /** The number by which later deeds refer to the message. */
  readonly message: number;
  readonly content: Content;
  /** The number of the message that this one answers. */
  readonly replyTo?: number;
}

/** An action of a person about a message. `read` moves the person's read mark in the chat to the message. */
export type MessageAction =
  | { readonly do: 'react'; readonly message: number; readonly reaction: Reaction }
  | { readonly do: 'unsend'; readonly message: number }
  | { readonly do: 'read'; readonly chat: number; readonly message: number };

/** `arrive`: a person comes to the server, with profile, picture and key. */
export type Action = { readonly do: 'arrive' } | PersonAction | CreateAction | ChatAction | SendAction | MessageAction;

/** An action, the number of the person who does it, and the time in epoch milliseconds. */
export type Deed = { readonly at: number; readonly by: number } & Action;
