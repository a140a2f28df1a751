// Checks that every method behaves as its entry in the contract declares: one list of checks, repeated for each method.
import { type MethodName, pathOf } from '@sealpost/contract';
import { methodNames, methodOf } from '@sealpost/contract/schemas';
import { complaint, expectError, expectResult } from '../answers.ts';
import type { Check } from '../check.ts';
import { topicOf } from '../headings.ts';
import { Mismatch } from '../mismatch.ts';
import type { World } from '../world.ts';
import { bodyWith, placesIn, sampleArgs } from './sample-arguments.ts';
import { fewWrongValues, type WrongValue, wrongValues } from './wrong-values.ts';

interface MethodCheck {
  readonly expects: string;
  /**
   * The heading under which the specification makes the promise. If absent, the heading of the method's topic is used.
   */
  readonly heading?: string;
  readonly appliesTo: (method: MethodName) => boolean;
  readonly run: (method: MethodName, world: World) => Promise<void>;
}

const needsSession = (method: MethodName): boolean => methodOf(method).auth === 'user';
const takesArguments = (method: MethodName): boolean => methodOf(method).args.length > 0;
const everyMethod = (): boolean => true;

/** A header that makes long polls end soon, so that a run does not wait for them. */
const SHORT_POLL = { 'X-LST': '1000' };

const methodChecks: Readonly<Record<string, MethodCheck>> = {
  'no-token': {
    expects: 'Without an access token the call is refused with HTTP 401 and code 10004',
    heading: 'Authentication',
    appliesTo: needsSession,
    async run(method, { raw }) {
      expectError(`${method} without a token`, await raw.call(method, []), 'REQUEST_NEED_LOGIN');
    },
  },
  'junk-token': {
    expects: 'With a token that the server never issued the call is refused with HTTP 401 and code 10004',
    heading: 'Authentication',
    appliesTo: needsSession,
    async run(method, { raw }) {
      for (const token of ['junk', 'e30.e30.e30']) {
        expectError(`${method} with the token ${token}`, await raw.call(method, [], token), 'REQUEST_NEED_LOGIN');
      }
    },
  },
  signature: {
    expects: 'Without a signature, or with a malformed or wrong one, the call is refused with code 10005',
    heading: 'Authentication',
    appliesTo: everyMethod,
    run: refusesSignatures,
  },
  verb: {
    expects: 'The path with another verb than POST answers HTTP 405',
    heading: 'Wire conventions',
    appliesTo: everyMethod,
    async run(method, { raw }) {
      for (const verb of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        expectError(`${verb} ${method}`, await raw.send(pathOf(method), { verb }), 'METHOD_NOT_ALLOWED');
      }
    },
  },
  arguments: {
    expects: 'A body that is not a JSON list of the right length is refused with code 10003',
    heading: 'Wire conventions',
    appliesTo: everyMethod,
    run: refusesBodies,
  },
  'wrong-values': {
    expects: 'Wrong values in any place are answered by errors that the method declares, never by a fault',
    heading: 'Errors',
    appliesTo: takesArguments,
    run: answersWrongValues,
  },
};

async function refusesSignatures(method: MethodName, { raw, target, samples }: World): Promise<void> {
  if (target.signature === 'off') return;
  const token = needsSession(method) ? (await samples(0)).person.token : undefined;
  const another = raw.signatureOf('/another', '[]', token);
  const malformed = [false, '', 'x', another.slice(0, -1)] as const;
  for (const signature of target.signature === 'strict' ? [...malformed, another] : malformed) {
    const answer = await raw.send(pathOf(method), { body: '[]', token, signature });
    expectError(`${method} with the signature ${JSON.stringify(signature)}`, answer, 'REQUEST_INVALID_HMAC');
  }
}

async function refusesBodies(method: MethodName, world: World): Promise<void> {
  const { args } = methodOf(method);
  const { post, values } = await caller(method, world);
  const tooMany = JSON.stringify([...values, null, null, null, null]);
  const tooFew = args[0] && !args[0].optional ? ['[]'] : [];
  for (const body of ['{}', 'null', '"text"', '1', '', '[', '[1,]', ...tooFew, tooMany]) {
    expectError(`${method} with the body ${JSON.stringify(body)}`, await post(body), 'REQUEST_SCHEMA');
  }
}

async function answersWrongValues(method: MethodName, world: World): Promise<void> {
  const { post, values } = await caller(method, world);
  const cases = placesIn(values).flatMap((place) => fewWrongValues.map((name) => [place, name] as const));
  const problems = await Promise.all(
    cases.map(async ([place, name]: readonly [(typeof cases)[number][0], WrongValue]) => {
      const problem = complaint(method, await post(bodyWith(values, place, wrongValues[name])));
      return problem ? [`${name} at ${place.join('.')}: ${problem}`] : [];
    }),
  );
  const [first, ...more] = problems.flat();
  if (first) throw new Mismatch('a result or an error that the method declares', `${first} (and ${more.length} more)`);
}

/** Returns a function that sends raw bodies to the method, and sample arguments that fit the method. */
async function caller(method: MethodName, { raw, samples }: World) {
  const { person, sample } = await samples(methodNames.indexOf(method));
  return {
    values: sampleArgs(method, sample),
    post: (body: string) =>
      raw.send(pathOf(method), { body, headers: SHORT_POLL, ...(needsSession(method) && { token: person.token }) }),
  };
}

/**
 * Makes a check that calls a method with sample arguments. Used for methods that no access rule and no scenario calls.
 */
export const answersPlainCall = (method: MethodName): Check => ({
  id: `${method}/answers`,
  ...topicOf(method),
  endpoint: method,
  expects: 'A call with arguments of the schema answers OK and a result of the schema',
  run: async (world) => {
    const { post, values } = await caller(method, world);
    expectResult(method, await post(JSON.stringify(values)));
  },
});

export const checksOfMethods = (): Check[] =>
  methodNames.flatMap((method) =>
    Object.entries(methodChecks)
      .filter(([, { appliesTo }]) => appliesTo(method))
      .map(([key, { expects, heading, run }]) => {
        const topic = topicOf(method);
        return {
          id: `${method}/${key}`,
          topic: topic.topic,
          endpoint: method,
          heading: heading ?? topic.heading,
          expects,
          run: (world: World) => run(method, world),
        };
      }),
  );
