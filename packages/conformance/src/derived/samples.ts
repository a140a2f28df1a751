// Accounts that call methods with sample arguments. Each account has a friend, a chat and a message, which the
// arguments name. There are several accounts, so that none of them reaches its rate limit.
import type { Person } from '../person.ts';
import type { Sample } from './sample-arguments.ts';

export interface Caller {
  readonly person: Person;
  readonly sample: Sample;
}

/** Returns the calling account with a number. The same number always gives the same account. */
export type Samples = (number: number) => Promise<Caller>;

const CALLERS = 8;

export function createSamples(account: () => Promise<Person>): Samples {
  const made = new Map<number, Promise<Caller>>();
  return (number) => {
    const slot = number % CALLERS;
    const caller = made.get(slot) ?? createCaller(account);
    made.set(slot, caller);
    return caller;
  };
}

async function createCaller(account: () => Promise<Person>): Promise<Caller> {
  const [person, friend] = await Promise.all([account(), account()]);
  const { chat } = await person.call('TalkService.createChat', {
    reqSeq: person.reqSeq(),
    type: 0,
    name: 'tea',
    targetUserMids: [friend.mid],
  });
  const { id } = await person.say(friend.mid, 'hello');
  return { person, sample: { friend: friend.mid, chat: chat.chatMid, message: id } };
}
