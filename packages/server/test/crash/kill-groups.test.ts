// Kills the server while members send, react and unsend in a group, and others join, leave or are removed. Each
// acknowledged change must be complete for everybody who was a member, and invisible to others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { seed } from '@sealpost/dev-env/chance';
import { type DatabaseKind, databases } from '@sealpost/dev-env/harness';
import { repeats, timeFor } from '@sealpost/dev-env/repeats';
import { createRandom, type Random } from '@sealpost/dev-env/workload/random';
import { replayOf, tablesOf } from './final-state.ts';
import { type KillableServer, startKillableServer } from './killable-server.ts';
import type { Person } from './server-with-crash-points.ts';
import { call, Unknown } from './wire.ts';

const KILLS: Record<DatabaseKind, number> = { sqlite: repeats(12), postgres: repeats(5) };
/** Each kill comes after at most MOST_ANSWERS answered calls and then at most MOST_MS milliseconds. */
const MOST_ANSWERS = 40;
const MOST_MS = 12;
/** After one in GIVE_UP broken connections, the client gives up its call. */
const GIVE_UP = 10;
/**
 * If something that the test needs has not happened after KILLS kills, the run continues. It ends after MOST_ROUNDS
 * times KILLS kills at the latest.
 */
const MOST_ROUNDS = 5;
const LEAST_CHANGES = 6;
/** Types of operations that tell a viewer about the viewer's own membership. */
const JOINED = new Set([120, 129]);
const LEFT = 127;
const REMOVED = 133;
const MESSAGES = new Set([25, 26]);

interface Operation {
  readonly type: number;
  readonly param1?: string;
  readonly param3?: string;
  readonly message?: { readonly id: string; readonly to: string; readonly text?: string };
}

interface Recorded {
  /** Texts of acknowledged messages by message id. */
  readonly sent: Map<string, string>;
  readonly unsent: Set<string>;
  changes: number;
  answers: number;
}

async function act(
  server: KillableServer,
  people: readonly Person[],
  me: Person,
  chatMid: string,
  recorded: Recorded,
  random: Random,
  ending: AbortSignal,
) {
  let reqSeq = 1;
  let texts = 0;
  const own: { id: string; text: string }[] = [];

  /**
   * Repeats a call under one reqSeq until it is answered or given up. Returns undefined if it is refused or its outcome
   * is unknown.
   */
  async function attempt<T>(method: string, args: readonly unknown[]): Promise<T | undefined> {
    for (;;) {
      try {
        const answer = await call<T>(await server.url(), me, method, args);
        recorded.answers += 1;
        return answer;
      } catch (error) {
        if (!(error instanceof Unknown)) return undefined;
        if (random.oneIn(GIVE_UP)) return undefined;
      }
    }
  }

  while (!ending.aborted) {
    reqSeq += 1;
    const chance = random.below(100);
    const request = { reqSeq, chatMid };
    // The founder stays, so that the group always has a member.
    if (chance < 50) {
      const text = `${me.mid.slice(1, 6)} says ${++texts}`;
      const message = await attempt<{ id: string }>('sendMessage', [reqSeq, { to: chatMid, text, contentType: 0 }]);
      if (message) {
        recorded.sent.set(message.id, text);
        own.push({ id: message.id, text });
      }
    } else if (chance < 58 && own.length > 0) {
      const taken = random.pick(own);
      if ((await attempt('unsendMessage', [reqSeq, taken.id])) !== undefined) recorded.unsent.add(taken.text);
    } else if (chance < 66) {
      const [message] = [...recorded.sent.keys()].slice(-1);
      if (message)
        await attempt('react', [{ reqSeq, messageId: message, reactionType: { predefinedReactionType: 2 } }]);
    } else {
      const targetUserMids = [random.pick(people.slice(1)).mid];
      const changed =
        chance < 76
          ? await attempt('inviteIntoChat', [{ ...request, targetUserMids }])
          : chance < 90
            ? await attempt('acceptChatInvitation', [request])
            : chance < 95
              ? await attempt('deleteOtherFromChat', [{ ...request, targetUserMids }])
              : me !== people[0]
                ? await attempt('deleteSelfFromChat', [request])
                : undefined;
      if (changed !== undefined) recorded.changes += 1;
    }
  }
}

for (const kind of databases) {
  test(`${KILLS[kind]} kills in the life of a group on ${kind}`, { timeout: timeFor(400_000) }, async (t) => {
    const server = await startKillableServer(kind);
    try {
      const people = await server.people(6);
      const [founder, ...others] = people as [Person, ...Person[]];
      const { chat } = await call<{ chat: { chatMid: string } }>(await server.url(), founder, 'createChat', [
        { reqSeq: 1, type: 0, name: 'crowd', targetUserMids: others.map((person) => person.mid) },
      ]);
      const { chatMid } = chat;
      const recorded: Recorded = { sent: new Map(), unsent: new Set(), changes: 0, answers: 0 };
      const ending = new AbortController();
      const random = createRandom(seed);
      const running = Promise.all(
        people.map((me) => act(server, people, me, chatMid, recorded, random, ending.signal)),
      );
      const atStake = () =>
        recorded.sent.size > KILLS[kind] && recorded.changes >= LEAST_CHANGES && recorded.unsent.size > 0;
      let kills = 0;
      for (; kills < KILLS[kind] || (!atStake() && kills < MOST_ROUNDS * KILLS[kind]); kills++) {
        const until = recorded.answers + 1 + random.below(MOST_ANSWERS);
        while (recorded.answers < until) await pause(2);
        await pause(random.below(MOST_MS));
        await server.kill();
        await server.startAgain();
      }
      await pause(MOST_MS);
      ending.abort();
      await running;

      const url = await server.url();
      const tables = await tablesOf(server);
      for (const { account, revision } of tables.heads) {
        const revisions = tables.operations.filter((o) => o.account === account).map((o) => o.revision);
        const dense = Array.from({ length: revision }, (_, i) => i + 1);
        assert.deepEqual(
          revisions.toSorted((a, b) => a - b),
          dense,
          'I5: a log is not dense',
        );
      }

      const stored = new Map(tables.messages.map((message) => [message.id, message.text]));
      for (const [id, text] of recorded.sent) {
        assert.ok(stored.has(id), `I1: ${text} was acknowledged and is gone`);
        if (recorded.unsent.has(text)) assert.notEqual(stored.get(id), text, `I14: ${text} was unsent and is there`);
      }
      const texts = tables.messages.map((message) => message.text).filter(Boolean);
      assert.equal(new Set(texts).size, texts.length, 'I2: a message is there twice');

      const views = new Map<string, string>();
      /** The messages that each person got, in order: one list for each time in the group. */
      const times = new Map<string, string[][]>();
      let reached = 0;
      for (const person of people) {
        const { deliveries } = await replayOf(server, person);
        let inside = false;
        const own: string[][] = [];
        for (const { content } of deliveries) {
          const operation = JSON.parse(content) as Operation;
          if (MESSAGES.has(operation.type) && operation.message?.to === chatMid) {
            assert.ok(inside, `I9: a message reached ${person.mid} outside of its membership`);
            own.at(-1)?.push(operation.message.id);
            reached += 1;
          }
          if (operation.param1 !== chatMid) continue;
          if (JOINED.has(operation.type) && !inside) own.push([]);
          if (JOINED.has(operation.type)) inside = true;
          else if (operation.type === LEFT || (operation.type === REMOVED && operation.param3 === person.mid))
            inside = false;
        }
        times.set(person.mid, own);
        const { memberChatMids } = await call<{ memberChatMids: string[] }>(url, person, 'getAllChatMids', [
          { withMemberChats: true, withInvitedChats: false },
        ]);
        assert.equal(memberChatMids.includes(chatMid), inside, `I11: ${person.mid} and its log disagree on membership`);
        if (!inside) continue;
        const { chats } = await call<{ chats: { extra: { groupExtra: { memberMids: string[] } } }[] }>(
          url,
          person,
          'getChats',
          [{ chatMids: [chatMid], withMembers: true, withInvitees: false }],
        );
        views.set(person.mid, String(chats[0]?.extra.groupExtra.memberMids.toSorted()));
      }
      assert.ok(new Set(views.values()).size <= 1, 'I11: members see different members');
      if (views.size > 0)
        assert.equal(
          [...views.values()][0],
          String([...views.keys()].toSorted()),
          'I11: members are others than the logs say',
        );
      // The founder never leaves, so its log has every message.
      const all = (times.get(founder.mid) ?? []).flat();
      const ids = all.map(BigInt);
      assert.ok(
        ids.every((id, i) => i === 0 || id > (ids[i - 1] as bigint)),
        'I4: a log has another order than the chat',
      );
      for (const [id, text] of recorded.sent) assert.ok(all.includes(id), `I1: ${text} is in no log of the founder`);
      for (const [mid, lists] of times) {
        for (const list of lists) {
          const from = all.indexOf(list[0] ?? '');
          assert.deepEqual(
            list,
            all.slice(from, from + list.length),
            `I1: ${mid} missed a message while it was a member`,
          );
        }
      }
      t.diagnostic(
        `${kills} kills, ${recorded.sent.size} sends and ${recorded.changes} changes of membership acknowledged, ${recorded.unsent.size} unsent, ${reached} deliveries`,
      );
      assert.ok(atStake(), `too little happened in ${kills} kills`);
    } finally {
      await server.close();
    }
  });
}
