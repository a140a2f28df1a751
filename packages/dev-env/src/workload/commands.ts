// The commands of a workload. They refer to accounts, chats and messages by number, so that one workload runs on any
// server. A chat has the number of the command that created it. A message has the number of the command that sent it.

export type ChatRef = { readonly user: number } | { readonly chat: number };

export type Action =
  | { readonly do: 'send'; readonly to: ChatRef; readonly text: string; readonly replyTo?: number }
  | { readonly do: 'unsend' | 'cancelReaction'; readonly message: number }
  | { readonly do: 'react'; readonly message: number; readonly reaction: number }
  /** Without `message`, the command concerns all messages of the chat. */
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
  /** Repeats an earlier call with the same reqSeq. */
  | { readonly do: 'repeat'; readonly command: number };

export type Setting =
  | 'privacyReceiveMessagesFromNotFriend'
  | 'privacySearchByUserid'
  | 'notificationEnable'
  | 'phoneRegistration';

/**
 * A command and the account that gives it. `wait` is the time in milliseconds between the previous command and this
 * one. If it is 0, both happen at the same moment.
 */
export type Command = { readonly by: number; readonly wait: number } & Action;
export type CommandOf<Do extends Action['do']> = Extract<Command, { readonly do: Do }>;

/** The expected outcome of a call: `ok`, or the name of an error of the contract. */
export type Outcome = 'ok' | string;

export interface Workload {
  readonly seed: number;
  readonly people: number;
  /** The number of official accounts. Official accounts are numbered after the people. */
  readonly officials: number;
  readonly commands: readonly Command[];
}
