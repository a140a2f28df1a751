// Makes a workload from a seed. The same seed makes the same list of commands. A server accepts most of the commands
// and refuses some.
import * as act from './actions.ts';
import { names, OFFICIALS, PEOPLE } from './cast.ts';
import type { Action, Command, Workload } from './commands.ts';
import { createModel, type Model } from './model.ts';
import { createRandom, type Random } from './random.ts';
import { Turn } from './turn.ts';

/** The kinds of commands and their weights. A kind with a higher weight occurs more often. */
const KINDS: readonly (readonly [kind: Action['do'], weight: number])[] = [
  ['send', 24],
  ['unsend', 5],
  ['react', 12],
  ['cancelReaction', 3],
  ['read', 9],
  ['removeHistory', 3],
  ['hide', 3],
  ['postback', 2],
  ['add', 5],
  ['addFriend', 3],
  ['block', 3],
  ['unblock', 2],
  ['blockRecommendation', 1],
  ['findByUserid', 1],
  ['setContact', 5],
  ['create', 4],
  ['rename', 2],
  ['favorite', 2],
  ['mute', 1],
  ['invite', 5],
  ['inviteIntoRoom', 2],
  ['remove', 4],
  ['cancelInvitation', 2],
  ['accept', 14],
  ['reject', 2],
  ['leave', 2],
  ['leaveRoom', 1],
  ['setProfile', 2],
  ['set', 3],
  ['repeat', 9],
];
const CHOICES = KINDS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));

/** Returns a unique text, so that a check can find it in places that must not contain it. */
export const textOf = (seed: number, n: number): string => `text-${seed}-${n}.`;

export function createWorkload(seed: number, length: number): { readonly workload: Workload; readonly model: Model } {
  const random = createRandom(seed);
  const model = createModel(names);
  while (model.commands.length < length) {
    const command = nextCommand(seed, random, model);
    if (command) model.apply(command);
  }
  return { workload: { seed, people: PEOPLE, officials: OFFICIALS, commands: model.commands }, model };
}

/** Returns the model after the first `commands` commands of a workload. */
export function modelOf(workload: Workload, commands: number): Model {
  const model = createModel(names);
  for (const command of workload.commands.slice(0, commands)) model.apply(command);
  return model;
}

/**
 * Makes the next command, with a look at the model to find one that makes sense now. Returns undefined if the drawn kind
 * of command makes no sense.
 */
export function nextCommand(seed: number, random: Random, model: Model): Command | undefined {
  const together = random.oneIn(2) ? reactionTogether(random, model) : undefined;
  if (together) return together;
  const turn = new Turn(random, model);
  const { by, wait, n } = turn;
  const kind = random.pick(CHOICES);
  if (kind === 'repeat') return repeatOf(random, model, wait);
  const action = actionOf(turn, kind, textOf(seed, n));
  return action && { by, wait, ...action };
}

function actionOf(turn: Turn, kind: Exclude<Action['do'], 'repeat'>, text: string): Action | undefined {
  switch (kind) {
    case 'send':
      return act.send(turn, text);
    case 'unsend':
    case 'react':
    case 'cancelReaction':
      return act.changeMessage(turn, kind);
    case 'read':
    case 'removeHistory':
      return act.changeBox(turn, kind);
    case 'hide':
      return act.hide(turn);
    case 'postback':
      return act.postback(turn);
    case 'add':
      return act.add(turn);
    case 'addFriend':
    case 'block':
    case 'unblock':
    case 'blockRecommendation':
    case 'findByUserid':
      return { do: kind, user: turn.user };
    case 'setContact':
      return act.setContact(turn);
    case 'create':
      return act.create(turn);
    case 'rename':
    case 'favorite':
    case 'mute':
      return act.changeAttribute(turn, kind);
    case 'invite':
    case 'inviteIntoRoom':
    case 'remove':
    case 'cancelInvitation':
      return act.changeTargets(turn, kind);
    case 'accept':
    case 'reject':
    case 'leave':
    case 'leaveRoom':
      return act.changeOwnMembership(turn, kind);
    case 'setProfile':
      return act.setProfile(turn);
    case 'set':
      return act.setSetting(turn);
  }
}

/**
 * Returns another account's reaction to the same message at the same moment; undefined if the last command was not a
 * reaction.
 */
function reactionTogether(random: Random, model: Model): Command | undefined {
  const last = model.commands.at(-1);
  if (last?.do !== 'react') return undefined;
  const others = names.flatMap((_, account) =>
    account !== last.by && model.canChange(account, last.message) ? [account] : [],
  );
  const by = random.pick<number | undefined>(others);
  return by === undefined ? undefined : { ...last, by, wait: 0, reaction: 2 + random.below(6) };
}

/**
 * Returns a repetition of a recent call that succeeded. A refused call is not repeated, because the server stores no
 * result for it.
 */
function repeatOf(random: Random, model: Model, wait: number): Command | undefined {
  const command = model.commands.length - 1 - random.below(20);
  const original = model.commands[command];
  if (!original || model.outcomes[command] !== 'ok') return undefined;
  if (['repeat', 'postback', 'findByUserid'].includes(original.do)) return undefined;
  if (original.do === 'send' && 'chat' in original.to) {
    const { chat } = original.to;
    const stillIn = model.ofAccount(original.by).groups(true);
    if (!stillIn.some((found) => found.command === chat)) return undefined;
  }
  return { by: original.by, wait, do: 'repeat', command };
}
