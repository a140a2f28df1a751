// The people of a population while a server runs. They log in when they have something to do. Their chats are read from
// the server, because anybody may have changed them.
import type { ClientPorts } from '@sealpost/sdk';
import { type Gateway, type Hand, handOf } from './hand.ts';
import type { Person } from './people.ts';
import type { Language, Topic } from './talk/language.ts';
import { subjectOf } from './talk/place.ts';

export type SettledPerson = Person & { readonly mid: string };

/** A chat, as one of its members sees it. */
export interface Place {
  /** The other person of a chat of two; undefined in groups and rooms. */
  readonly peer: SettledPerson | undefined;
  /** The mid of the group or room, or that of the other person. */
  readonly mid: string;
  /** The members who belong to the population. */
  readonly members: readonly SettledPerson[];
  readonly topic: Topic;
  readonly language: Language;
}

export interface Residents {
  readonly people: readonly SettledPerson[];
  of(mid: string | undefined): SettledPerson | undefined;
  /** Returns the client of a person. Logs the person in first if necessary. */
  hand(person: SettledPerson): Promise<Hand>;
  /** Returns the chats of a person. */
  places(person: SettledPerson): Promise<Place[]>;
  /** Ends all sessions. */
  close(): Promise<void>;
}

export interface ResidentsOptions {
  readonly people: readonly SettledPerson[];
  readonly gateway: Gateway;
  readonly ports: Partial<ClientPorts>;
  /** Called when a person has logged in. */
  readonly onEntered: (person: SettledPerson, hand: Hand) => void;
}

export function createResidents({ people, gateway, ports, onEntered }: ResidentsOptions): Residents {
  const byMid = new Map(people.map((person) => [person.mid, person]));
  const entered = new Map<SettledPerson, Promise<Hand>>();

  async function enter(person: SettledPerson): Promise<Hand> {
    const opened = handOf(person, gateway, ports);
    try {
      await opened.rpc.login({ identifier: person.userid, password: person.password });
    } catch (error) {
      opened.rpc.close();
      entered.delete(person);
      throw error;
    }
    onEntered(person, opened);
    return opened;
  }

  async function hand(person: SettledPerson): Promise<Hand> {
    const known = entered.get(person);
    const open = await known;
    if (open?.rpc.session) return open;
    // The client has no session any more: somebody ended the session, or the server was set back to a saved state.
    if (open) leave(open);
    // Another call of `hand` may have begun to log the person in at the same time.
    const current = entered.get(person);
    if (current && current !== known) return current;
    const entering = enter(person);
    entered.set(person, entering);
    return entering;
  }

  function leave({ rpc, sealing }: Hand): void {
    sealing?.close();
    rpc.close();
  }

  const pairWith = (person: SettledPerson, peer: SettledPerson): Place => {
    const language = peer.developer ? person.language : peer.language;
    return { peer, mid: peer.mid, members: [person, peer], topic: 'friends', language };
  };

  return {
    people,
    of: (mid) => (mid === undefined ? undefined : byMid.get(mid)),
    hand,
    async places(person) {
      const { verbs } = await hand(person);
      const { joined } = await verbs.chats.mids();
      const chats = [...(await verbs.chats.get(joined)).values()];
      const blocked = await verbs.contacts.blocked();
      const friends = (await verbs.contacts.mids()).filter((mid) => !blocked.includes(mid));
      return [
        ...friends.flatMap((mid) => byMid.get(mid) ?? []).map((peer) => pairWith(person, peer)),
        ...chats.map(({ chatMid, chatName = '', extra }): Place => {
          const members = (extra?.groupExtra?.memberMids ?? []).flatMap((mid) => byMid.get(mid) ?? []);
          return { peer: undefined, mid: chatMid, members, ...subjectOf(chatName, members) };
        }),
      ];
    },
    async close() {
      const open = await Promise.allSettled(entered.values());
      for (const outcome of open) {
        if (outcome.status !== 'fulfilled') continue;
        // Ignores errors: the server may be gone already, and its sessions then end by themselves.
        await outcome.value.rpc.logout().catch(() => {});
        leave(outcome.value);
      }
    },
  };
}
