// Ids that were never issued, for comparisons with ids that exist but are not for the caller.
import { randomBytes } from '../surroundings.ts';
import { type AccessRule, accessRules, keyAndSessionRules, type World } from './access-rules.ts';

const FAR = 1_000_000;
const far = (id: string): string => String(Number(id) + FAR);
const mid = (prefix: string): string => prefix + randomBytes(16).toString('hex');

/**
 * Returns the same world, but every id in it is one that was never issued. The existence of an account is not secret,
 * nor is the fact that it is official, so most accounts stay.
 */
export function absentWorld(world: World): World {
  const absent = far(world.groupMessage);
  return {
    ...world,
    mids: { ...world.mids, member: mid('u') },
    group: mid('c'),
    room: mid('r'),
    groupMessage: absent,
    roomMessage: absent,
    directMessage: absent,
    loginSession: world.loginSession && far(world.loginSession),
    pendingLogin: world.pendingLogin && mid('SQ'),
    product: far(world.product),
    sticker: far(world.sticker),
  };
}

const someWorld: World = {
  mids: {
    ...{ self: 'self', contact: 'contact', member: 'member', invitee: 'invitee', 'ex-member': 'ex-member' },
    ...{ rejected: 'rejected', blocked: 'blocked', stranger: 'stranger' },
  },
  ...{ caller: 'caller', group: 'group', groupMessage: '1', groupKey: [[], [], []], groupKeyId: 1, room: 'room' },
  ...{ roomMessage: '1', direct: 'direct', directMessage: '1', loginSession: '1', pendingLogin: 'login' },
  ...{ official: 'official', product: '1', sticker: '1', channelRefreshToken: 'token' },
};
const namesSomething = ({ args }: AccessRule): boolean =>
  JSON.stringify(args(someWorld)) !== JSON.stringify(args(absentWorld(someWorld)));

/** The rules whose arguments name something that a stranger may not access. */
export const strangerRules: readonly AccessRule[] = [...accessRules, ...keyAndSessionRules].filter(
  (rule) => !rule.allowed.includes('stranger') && namesSomething(rule),
);
