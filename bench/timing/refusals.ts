// The times of refusals. Ids that are not for the caller are compared with ids that were never issued. Signatures that
// are wrong in different places are compared with each other. The requests of a pair follow each other directly, in random
// order.

import { absentWorld, createWorld, strangerRules } from '@sealpost/conformance/testing';
import { clientVersion, plainHeaders } from '@sealpost/contract';
import { prepareKey, sign } from '@sealpost/crypto/node';
import { type Connection, openConnection } from '../connection.ts';
import { type Gateway, operator } from '../gateway.ts';
import { BUILD_TOKEN, callRequest, keyOf, type User } from '../request.ts';
import { type Comparison, shuffled } from './compare.ts';

/** Pairs that are not counted, because the server compiles its code in them. */
const WARM_UP = 200;
const SAID_EACH = 10;

interface Answer {
  readonly ms: number;
  readonly status: number;
}

const timed = (connection: Connection, request: string): Promise<Answer> =>
  new Promise((resolve) => {
    const begun = performance.now();
    connection.send(request, (status) => resolve({ ms: performance.now() - begun, status }));
  });

/** Makes two requests again and again. Throws if they are not answered with the same status. */
async function measurePair(
  connection: Connection,
  name: string,
  [one, other]: readonly [one: string, other: string],
  samples: number,
): Promise<Comparison> {
  const times: number[] = [];
  const beside: number[] = [];
  for (let i = -WARM_UP; i < samples; i++) {
    const answers = new Map<string, Answer>();
    for (const request of shuffled([one, other])) answers.set(request, await timed(connection, request));
    const [mine, its] = [answers.get(one) as Answer, answers.get(other) as Answer];
    if (mine.status !== its.status) throw new Error(`${name}: status ${mine.status}, but ${its.status} beside it`);
    if (i < 0) continue;
    times.push(mine.ms);
    beside.push(its.ms);
  }
  return { name, times, beside };
}

function connect(gateway: Gateway): Promise<Connection> {
  return openConnection(gateway.port, (error) => {
    throw error;
  });
}

/** Compares foreign ids with absent ones, in every call that a stranger may not make. */
export async function measureIds(
  gateway: Gateway,
  samples: number,
  say: (text: string) => void,
): Promise<Comparison[]> {
  const target = { url: gateway.url, brand: 'Svc', buildToken: BUILD_TOKEN, signature: 'strict' } as const;
  const world = createWorld(target, operator(gateway));
  const connection = await connect(gateway);
  try {
    const people = await world.cast();
    const { mid, client } = people.users.stranger;
    const user: User = { mid, accessToken: client.session?.tokens.accessToken as string };
    const key = keyOf(user);
    const comparisons: Comparison[] = [];
    for (const { object, access, method, args } of strangerRules) {
      const things = (await people.things(object))('stranger');
      const [foreign, absent] = [things, absentWorld(things)].map((w) => callRequest(user, key, method, args(w)));
      const name = `${object}, ${access}: \`${method.split('.')[1]}\``;
      comparisons.push(await measurePair(connection, name, [foreign as string, absent as string], samples));
      if (comparisons.length % SAID_EACH === 0) say(`${comparisons.length} of ${strangerRules.length} calls`);
    }
    return comparisons;
  } finally {
    connection.close();
    await world.dispose();
  }
}

/** Compares signatures of which one byte is wrong with signatures that are wrong in the first byte. */
export async function measureSignatures(gateway: Gateway, user: User, samples: number): Promise<Comparison[]> {
  const connection = await connect(gateway);
  const right = callRequest(user, keyOf(user), 'TalkService.getProfile', []);
  const name = `${plainHeaders.hmac.name}: `;
  const signature = right.slice(right.indexOf(name) + name.length).split('\r\n', 1)[0] as string;
  const bytes = Buffer.from(signature, 'base64');
  const wrongAt = (place: number): string => {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] as number) ^ 1;
    return right.replace(signature, changed.toString('base64'));
  };
  const others: Readonly<Record<string, string>> = {
    'wrong in the middle': wrongAt(bytes.length / 2),
    'wrong in the last byte': wrongAt(bytes.length - 1),
    'of another token': right.replace(
      signature,
      sign(prepareKey(BUILD_TOKEN, clientVersion, 'another'), '/', Buffer.alloc(0)),
    ),
  };
  const comparisons: Comparison[] = [];
  for (const [kind, request] of Object.entries(others))
    comparisons.push(await measurePair(connection, kind, [request, wrongAt(0)], samples));
  connection.close();
  return comparisons;
}
