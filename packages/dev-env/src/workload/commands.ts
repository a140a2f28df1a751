// The commands of a workload. They name accounts, chats and messages by number, so that one list runs on any server:
// an account by its place, a chat by the createChat that made it, a message by the command that sent it.

export type ChatRef = { readonly user: number } | { readonly chat: number };

export type Action =
  | { readonly do: 'send'; readonly to: ChatRef; readonly text: string; readonly replyTo?: number }
  | { readonly do: 'unsend' | 'cancelReaction'; readonly message: number }
  | { readonly do: 'react'; readonly message: number; readonly reaction: number }
  /** Without a message: everything. */
  | { readonly do: 'read' | 'removeHistory'; readonly in: ChatRef; readonly message?: number }
  | { readonly do: 'hide'; readonly in: ChatRef; readonly hidden: boolean }
  | { readonly do: 'postback'; readonly in: ChatRef; readonly message: number; readonly official: number }
  | { readonly do: 'add'; readonly users: readonly number[] }
  | { readonly do: 'addFriend' | 'block' | 'unblock' | 'blockRecommendation' | 'findByUserid'; readonly user: number }
  | { readonly do: 'setContact'; readonly user: number; readonly flag: number; readonly value: string }
  | { readonly do: 'create'; readonly room: boolean; readonly users: readonly number[]; readonly name: string }
  | { readonly do: 'rename'; readonly chat: number; readonly name: string }
  | { readonly do: 'favorite'; readonly chat: number; readonly time: number }
  | { readonly do: 'mute'; readonly chat: number; readonly muted: boolean }
  | {
      readonly do: 'invite' | 'inviteIntoRoom' | 'remove' | 'cancelInvitation';
      readonly chat: number;
      readonly users: readonly number[];
    }
  | { readonly do: 'accept' | 'reject' | 'leave' | 'leaveRoom'; readonly chat: number }
  | { readonly do: 'setProfile'; readonly attribute: number; readonly value: string }
  | { readonly do: 'set'; readonly setting: Setting; readonly value: boolean }
  /** The same call with the same reqSeq once more. */
  | { readonly do: 'repeat'; readonly command: number };

export type Setting =
  | 'privacyReceiveMessagesFromNotFriend'
  | 'privacySearchByUserid'
  | 'notificationEnable'
  | 'phoneRegistration';

/** `wait`: milliseconds that pass before it; 0 makes calls of the same moment. */
export type Command = { readonly by: number; readonly wait: number } & Action;
export type CommandOf<Do extends Action['do']> = Extract<Command, { readonly do: Do }>;

/** What is expected of a call: that it works, or the name of its error. */
export type Outcome = 'ok' | string;

export interface Workload {
  readonly seed: number;
  readonly people: number;
  /** They come after the people. */
  readonly officials: number;
  readonly commands: readonly Command[];
}
