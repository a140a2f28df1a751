// Simulates what people say to each other while a server runs.
import { GatewayError } from '@sealpost/sdk';
import type { Chance } from './chance.ts';
import type { Content } from './deeds.ts';
import type { Hand } from './hand.ts';
import { markRead, reactTo, unsend } from './perform.ts';
import type { Place, Residents, SettledPerson } from './residents.ts';
import { says, type Turn, turnsOf } from './talk/turns.ts';

const SECOND = 1_000;
/** Maximum number of conversations at the same time. */
const TALKS = 3;
const NEW_TALK = 0.25;
/** The factor by which people choose a chat more often if a developer is in it. */
const NEAR_DEVELOPER = 4;

/** A conversation that is not finished. */
export interface RunningTalk {
  readonly place: Place;
  readonly turns: Turn[];
  /** The ids of the messages so far, in order. */
  readonly said: string[];
}

export interface Tools {
  readonly chance: Chance;
  readonly residents: Residents;
  /** Does work after `ms` milliseconds, unless the made-up people have stopped talking before. */
  later(ms: number, work: () => Promise<void>): void;
  /** Sends content for a person, and returns the id of the message. */
  speak(person: SettledPerson, to: string, content: Content, replyTo?: string): Promise<string>;
}

/** Sends the next message of a conversation, or begins a new conversation. */
export async function goOn(tools: Tools, talks: RunningTalk[]): Promise<void> {
  const { chance } = tools;
  const isNew = talks.length === 0 || (talks.length < TALKS && chance.happens(NEW_TALK));
  const talk = isNew ? await beginTalk(tools) : chance.pick(talks);
  if (!talk) return;
  if (isNew) talks.push(talk);
  const turn = talk.turns.shift();
  if (talk.turns.length === 0) talks.splice(talks.indexOf(talk), 1);
  if (turn) await take(tools, talk, turn);
}

async function beginTalk({ chance, residents }: Tools): Promise<RunningTalk | undefined> {
  const person = chance.pick(residents.people.filter(({ developer }) => !developer));
  const places = (await residents.places(person)).filter(({ members }) => members.length > 1);
  if (places.length === 0) return undefined;
  const isNear = ({ members }: Place): boolean => members.some(({ developer }) => developer);
  const place = chance.weighted(places, (each) => (isNear(each) ? NEAR_DEVELOPER : 1));
  const { topic, language, members: present } = place;
  const speakers = place.peer?.developer ? [person] : present.filter(({ developer }) => !developer);
  const turns = turnsOf({ topic, language, speakers, present }, chance);
  // In a chat of two with a developer, the person says only one thing, because the developer may not answer.
  return { place, turns: place.peer?.developer ? turns.slice(0, 1) : turns, said: [] };
}

async function take(tools: Tools, { place, said }: RunningTalk, turn: Turn): Promise<void> {
  const { chance, residents, later } = tools;
  const settled = (mids: readonly SettledPerson[], number: number) => mids.find((each) => each.number === number);
  const by = settled(place.members, turn.by.number);
  if (!by) return;
  const id = await tools.speak(by, toOf(place, by), turn.content, said[turn.answers ?? -1]);
  said.push(id);
  const others = place.members.filter((each) => each !== by && !each.developer);
  for (const reader of chance.some(others, 2)) {
    later(chance.between(2, 30) * SECOND, async () => markRead(await residents.hand(reader), toOf(place, reader), id));
  }
  for (const { by: person, reaction } of turn.reactions) {
    const other = settled(others, person.number);
    if (other) later(chance.between(3, 40) * SECOND, async () => reactTo(await residents.hand(other), id, reaction));
  }
  if (turn.takenBack) {
    later(60 * SECOND, async () => unsend(await residents.hand(by), id));
  }
}

/** Returns the mid to which a member sends messages for a chat. */
const toOf = ({ peer, mid, members }: Place, person: SettledPerson): string =>
  peer === person ? (members.find((member) => member !== person)?.mid ?? mid) : mid;

/** Creates a group of a person and some of the person's friends, who may include developers. */
export async function makeGroup({ chance, residents, later, speak }: Tools): Promise<void> {
  const founder = chance.pick(residents.people.filter(({ developer }) => !developer));
  const friends = (await residents.places(founder)).flatMap(({ peer }) => peer ?? []);
  const members = chance.some(friends, chance.between(2, 4));
  if (members.length === 0) return;
  const { verbs } = await residents.hand(founder);
  const name = chance.pick(founder.language.chatNames.friends);
  const chatMid = await verbs.chats.createGroup({ name, members: members.map(({ mid }) => mid) });
  for (const member of members.filter(({ developer }) => !developer)) {
    later(chance.between(2, 20) * SECOND, async () => acceptOnce(await residents.hand(member), chatMid));
  }
  later(25 * SECOND, async () => void (await speak(founder, chatMid, says(chance.pick(founder.language.answers)))));
}

/**
 * Accepts an invitation if it is still open. Two simulated tasks may try it at the same time; the second does nothing.
 */
export async function acceptOnce({ verbs: { chats } }: Hand, chatMid: string): Promise<void> {
  if (!(await chats.mids()).invited.includes(chatMid)) return;
  try {
    await chats.accept(chatMid);
  } catch (error) {
    if (!(error instanceof GatewayError && error.error === 'NOT_AN_INVITEE')) throw error;
  }
}
