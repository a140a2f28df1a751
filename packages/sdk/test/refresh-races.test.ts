// Many races over one refresh token. An honest client never loses its session, and a theft never goes unnoticed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seed as seedOfRun } from '@sealpost/dev-env/chance';
import { startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';
import { hurriedTimers, never } from '@sealpost/dev-env/hurried-timers';
import { repeats } from '@sealpost/dev-env/repeats';
import { type VirtualTime, virtualTime } from '@sealpost/dev-env/virtual-time';
import { createRpcClient, type RpcClient, type Session } from '@sealpost/sdk';

/** The number of races of each kind. */
const RACES = repeats(200);
const AT_ONCE = 20;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = 3;
const TOKENS = { 'access-token-hours': '24', 'renewal-hours': '12' };

let server: TestServer;
let time: VirtualTime;
let user: TestUser;

before(async () => {
  time = virtualTime();
  server = await startServer({ ports: { clock: time }, flags: TOKENS });
  user = await server.user('racer');
});
after(() => server?.close());

/** Returns numbers from 0 to 1 that are the same in every run with the same seed. */
function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function aSession(): Promise<Session> {
  const client = await user.session();
  client.close();
  assert.ok(client.session);
  return client.session;
}

/** Returns a client that does not schedule renewals: only its calls renew the tokens. */
const clientOf = (session: Session, fetcher: typeof fetch = fetch): RpcClient =>
  createRpcClient({
    url: server.url,
    session,
    clock: time,
    timers: hurriedTimers(1000, never),
    fetch: fetcher,
  });

const isRefresh = (input: unknown): boolean => String(input).endsWith('/tokenRefresh');

/**
 * Returns a `fetch` that sends each refresh several times, at once or one after another, and returns one of the
 * answers.
 */
const repeating =
  (random: () => number): typeof fetch =>
  async (input, init) => {
    if (!isRefresh(input)) return fetch(input, init);
    const copies = 2 + Math.floor(random() * 6);
    const answers: Response[] = [];
    if (random() < 0.5) answers.push(...(await Promise.all(Array.from({ length: copies }, () => fetch(input, init)))));
    else while (answers.length < copies) answers.push(await fetch(input, init));
    const texts = await Promise.all(answers.map((answer) => answer.clone().text()));
    assert.equal(new Set(texts).size, 1, 'every copy has the same answer');
    return answers[Math.floor(random() * copies)] ?? assert.fail();
  };

const works = (client: RpcClient): Promise<boolean> =>
  client.TalkService.getServerTime().then(
    () => true,
    () => false,
  );

/** Runs the races in groups. All races of a group have the same clock, which moves between their rounds. */
async function inGroups(races: number, group: (draws: (() => number)[]) => Promise<number>): Promise<number> {
  let bad = 0;
  for (let done = 0; done < races; done += AT_ONCE) {
    bad += await group(Array.from({ length: AT_ONCE }, (_, n) => drawsOf(seedOfRun + done + n)));
  }
  return bad;
}

const count = (values: readonly boolean[]): number => values.filter(Boolean).length;

test(`no honest session is lost in ${RACES} races of repeated refreshes`, async () => {
  const lost = await inGroups(RACES, async (draws) => {
    const clients = await Promise.all(draws.map(async (random) => clientOf(await aSession(), repeating(random))));
    const alive = clients.map(() => true);
    for (let day = 0; day < 2; day++) {
      time.move(DAY + MINUTE);
      const now = await Promise.all(clients.map(works));
      for (const [n, works] of now.entries()) alive[n] &&= works;
    }
    for (const client of clients) client.close();
    return count(alive.map((lives) => !lives));
  });
  assert.equal(lost, 0);
});

test(`no theft goes unnoticed in ${RACES} races of owner and thief`, async () => {
  const missed = await inGroups(RACES, async (draws) => {
    const pairs = await Promise.all(
      draws.map(async (random) => {
        const session = await aSession();
        return { random, both: [clientOf(session), clientOf(session)] as const };
      }),
    );
    // The second refresh comes at once, while the server still repeats answers, or long after. Two refreshes at the
    // same moment look like one refresh whose answer was lost. So on the last day, they come at different moments.
    for (let day = 1; day <= DAYS; day++) {
      time.move(DAY + MINUTE);
      const late: RpcClient[] = [];
      await Promise.all(
        pairs.map(async ({ random, both: [owner, thief] }) => {
          const [first, second] = random() < 0.5 ? [owner, thief] : [thief, owner];
          if (random() < 0.5 && day < DAYS) await Promise.all([works(first), works(second)]);
          else if (await works(first)) late.push(second);
          else await works(second);
        }),
      );
      time.move(Math.floor((pairs[0]?.random() ?? 0) * 3 * MINUTE));
      await Promise.all(late.map(works));
    }
    const unnoticed = await Promise.all(
      pairs.map(async ({ both: [owner, thief] }) => (await works(owner)) || (await works(thief))),
    );
    for (const { both } of pairs) for (const client of both) client.close();
    return count(unnoticed);
  });
  assert.equal(missed, 0);
});
