// Plans how a chat begins and changes: its members at each time, and its name.
import { chanceOf } from './chance.ts';
import type { PlannedChat } from './chats.ts';
import type { Deed } from './deeds.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LEAVES = 0.25;
const RENAMES = 0.35;

export interface ChatMembers {
  readonly chat: PlannedChat;
  /** The time when the first message may be sent. */
  readonly since: number;
  /** The deeds that create and change the chat itself, such as invitations and new names. */
  readonly deeds: readonly Deed[];
  /** Returns the numbers of people who are in the chat at a time and stay for at least one more day. */
  membersAt(time: number): number[];
}

interface Stay {
  readonly person: number;
  readonly from: number;
  readonly to: number;
}

export function membershipOf(
  seed: number,
  chat: PlannedChat,
  { from, to }: { readonly from: number; readonly to: number },
): ChatMembers {
  const begins = Math.floor(from + chat.since * (to - from));
  const chance = chanceOf(seed, `members of chat ${chat.number}`);
  const deeds: Deed[] = [];
  const stays: Stay[] = [];
  const [founder = 0, ...others] = chat.members;
  if (chat.kind !== 'pair') deeds.push({ at: begins, by: founder, do: 'create', chat: chat.number });
  if (chat.kind === 'group') {
    others.forEach((by, i) => void deeds.push({ at: begins + (i + 1) * MINUTE, by, do: 'accept', chat: chat.number }));
  }
  const settled = begins + (chat.members.length + 1) * MINUTE;
  const timeAfter = (earliest: number): number => Math.floor(earliest + chance.fraction() * (to - earliest));
  for (const person of chat.members) {
    const leaves = chat.kind === 'group' && person === others.at(-1) && others.length > 2 && chance.happens(LEAVES);
    const until = leaves ? timeAfter(settled + 2 * DAY) : Number.POSITIVE_INFINITY;
    if (leaves) deeds.push({ at: until, by: person, do: 'leave', chat: chat.number });
    stays.push({ person, from: settled, to: until });
  }
  for (const person of chat.later) {
    const invited = timeAfter(settled);
    const joined = invited + chance.between(2, 300) * MINUTE;
    deeds.push({ at: invited, by: founder, do: 'invite', chat: chat.number, person });
    deeds.push({ at: joined, by: person, do: 'accept', chat: chat.number });
    stays.push({ person, from: joined, to: Number.POSITIVE_INFINITY });
  }
  if (chat.kind === 'group' && chance.happens(RENAMES)) {
    const name = chance.pick(chat.language.chatNames[chat.topic]);
    deeds.push({ at: timeAfter(settled), by: founder, do: 'rename', chat: chat.number, name });
  }
  return {
    chat,
    since: settled,
    deeds,
    membersAt: (time) => stays.filter((stay) => stay.from <= time && stay.to > time + DAY).map(({ person }) => person),
  };
}
