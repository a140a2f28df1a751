import { Challenge, Registered, RegistrationOffer, SeenInvite } from '@sealpost/contract/registration';
import { type Newcomer, Registration, RegistrationError } from '@sealpost/sdk/registration';
import type { TSchema } from 'typebox';
import { expectSchema } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import { fetch, pause, randomBytes } from '../surroundings.ts';
import type { World } from '../world.ts';

const heading = 'none: an endpoint beyond the specification (extension)';
const TRIES = 10;
const LONGEST_WAIT_MS = 30_000;
/** More calls than the usual limit of an address allows at once. */
const CALLS_AT_ONCE = 220;
const WRONG_CODE = '00000-00000-00000-00000';

const api = ({ target: { url } }: World): Registration => new Registration({ url, fetch });

const newcomer = () => ({
  userid: `conformance-${randomBytes(8).toString('hex')}`,
  password: randomBytes(18).toString('base64url'),
  displayName: 'conformance',
});

/** Makes a call again while a limit asks for a short wait. */
async function patient<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const waitMs = error instanceof RegistrationError && error.status === 429 ? error.retryAfterMs : undefined;
      if (waitMs === undefined || waitMs > LONGEST_WAIT_MS || attempt === TRIES) throw error;
      await pause(waitMs);
    }
  }
}

async function expectAnswer<T>(what: string, schema: TSchema, call: () => Promise<T>): Promise<T> {
  const result = await patient(call);
  expectSchema(`the result of ${what}`, schema, result);
  return result;
}

async function expectRefused(what: string, status: number, call: () => Promise<unknown>): Promise<RegistrationError> {
  const seen: unknown = await patient(call).catch((error: unknown) => error);
  expectThat(
    seen instanceof RegistrationError && seen.status === status && seen.detail !== `HTTP ${status}`,
    `${what} to be refused with HTTP ${status} and a problem that tells why`,
    seen instanceof Error ? seen.message : seen,
  );
  return seen;
}

const offerOf = (world: World): Promise<RegistrationOffer> =>
  expectAnswer('showRegistration', RegistrationOffer, () => api(world).offer());

const look = (world: World, code: string): Promise<SeenInvite> =>
  expectAnswer('lookAtInvite', SeenInvite, () => api(world).invite(code));

/** Opens an account. The run deletes it at its end. */
const open = (world: World, who: Newcomer): Promise<Registered> =>
  world.keep(() => expectAnswer('register', Registered, () => api(world).register(who)));

/** Opens an account if the server wrongly allows it; then the run deletes it too. */
const tryToOpen = (world: World, who: Newcomer) => () => world.keep(() => api(world).register(who));

/** Makes an invite for one account, and runs what is to be checked, if the server takes invites. */
async function withInvite(
  world: World,
  check: (invite: { readonly id: string; readonly code: string }) => Promise<void>,
): Promise<void> {
  if ((await offerOf(world)).mode === 'closed') return;
  const { id, code } = await world.admin.createInvite({ note: 'conformance' });
  try {
    await check({ id, code });
  } finally {
    await world.admin.revokeInvite({ invite: id });
  }
}

async function expectLoggedIn({ login }: World, { userid, password }: Newcomer, mid: string): Promise<void> {
  const client = await login(userid, password);
  const profile = await client.TalkService.getProfile();
  expectEqual('the new account to have the profile with the mid', profile.mid, mid);
}

function expectLimit(error: unknown): void {
  const isLimit = error instanceof RegistrationError && error.status === 429 && (error.retryAfterMs ?? 0) > 0;
  expectThat(isLimit, 'HTTP 429 with the header Retry-After', error instanceof Error ? error.message : error);
}

/** Takes the refusal of an address that has opened as many accounts as it may within a day. */
function reachedLimit(error: unknown): undefined {
  expectLimit(error);
}

export const registration = scenarios('registration', {
  once: {
    endpoint: 'register',
    heading,
    expects: 'An invite opens one account, which can log in; then the invite is used up',
    run: (world) =>
      withInvite(world, async ({ code }) => {
        const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `;
        const before = await look(world, typed);
        expectEqual('the invite to be', [before.state, before.usesLeft], ['usable', 1]);
        const ann = newcomer();
        const { mid, userid } = await open(world, { ...ann, code: typed });
        expectEqual('the user id to be', userid, ann.userid);
        await expectLoggedIn(world, ann, mid);
        await expectRefused('a second account', 410, tryToOpen(world, { ...newcomer(), code }));
        const after = await look(world, code);
        expectEqual('the invite to be', [after.state, after.usesLeft], ['used-up', 0]);
      }),
  },
  raced: {
    endpoint: 'register',
    heading,
    expects: 'Of several registrations at the same time, the last use of an invite goes to one',
    run: (world) =>
      withInvite(world, async ({ code }) => {
        const race = () => patient(tryToOpen(world, { ...newcomer(), code }));
        const racers = Array.from({ length: 4 }, race);
        const opened = (await Promise.allSettled(racers)).filter(({ status }) => status === 'fulfilled');
        expectEqual('the number of new accounts to be', opened.length, 1);
      }),
  },
  unused: {
    endpoint: 'register',
    heading,
    expects: 'A registration that is refused, for its user id or its password, leaves the invite usable',
    run: (world) =>
      withInvite(world, async ({ code }) => {
        const { userid } = await world.account();
        const taken = { ...newcomer(), userid, code };
        const { field } = await expectRefused('a user id that somebody has', 409, tryToOpen(world, taken));
        expectEqual('the field of the refusal to be', field, 'userid');
        const short = { ...newcomer(), password: 'short', code };
        const { errors } = await expectRefused('a short password', 400, tryToOpen(world, short));
        expectEqual(
          'the wrong fields to be',
          errors.map((error) => error.field),
          ['password'],
        );
        expectEqual('the invite to be', (await look(world, code)).state, 'usable');
      }),
  },
  userid: {
    endpoint: 'checkUserid',
    heading,
    expects: 'Who has an invite is told whether a user id is free',
    run: (world) =>
      withInvite(world, async ({ code }) => {
        const { userid } = await world.account();
        const check = (asked: string) => patient(() => api(world).checkUserid(asked, code));
        expectEqual('a user id that somebody has to be free', (await check(userid)).free, false);
        const { userid: fresh } = newcomer();
        expectEqual('the answer to be', await check(` ${fresh.toUpperCase()} `), { userid: fresh, free: true });
      }),
  },
  'wrong-code': {
    endpoint: 'lookAtInvite',
    heading,
    expects: 'A code that no invite has is refused with HTTP 404, and opens nothing',
    run: (world) =>
      withInvite(world, async () => {
        await expectRefused('a look at a wrong code', 404, () => api(world).invite(WRONG_CODE));
        await expectRefused('a wrong code', 404, tryToOpen(world, { ...newcomer(), code: WRONG_CODE }));
      }),
  },
  revoked: {
    endpoint: 'register',
    heading,
    expects: 'A revoked invite says so, and is refused with HTTP 410',
    run: (world) =>
      withInvite(world, async ({ id, code }) => {
        await world.admin.revokeInvite({ invite: id });
        expectEqual('the invite to be', (await look(world, code)).state, 'revoked');
        await expectRefused('a revoked invite', 410, tryToOpen(world, { ...newcomer(), code }));
      }),
  },
  mode: {
    endpoint: 'showRegistration',
    heading,
    expects: 'What the server does not offer is refused with HTTP 403: without an invite, or to everybody',
    async run(world) {
      const { mode } = await offerOf(world);
      if (mode === 'open') return;
      await expectRefused('a challenge', 403, () => api(world).challenge());
      await expectRefused('an account without an invite', 403, tryToOpen(world, newcomer()));
      if (mode === 'invite') return;
      await expectRefused('a look at an invite', 403, () => api(world).invite(WRONG_CODE));
      await expectRefused('an account with a code', 403, tryToOpen(world, { ...newcomer(), code: WRONG_CODE }));
    },
  },
  challenge: {
    endpoint: 'getChallenge',
    heading,
    expects: 'On an open server, a solved challenge opens one account, and an unsolved one none',
    async run(world) {
      if ((await offerOf(world)).mode !== 'open') return;
      await expectRefused('an account without a challenge', 422, tryToOpen(world, newcomer()));
      const challenge = await patient(() => api(world).challenge()).catch(reachedLimit);
      if (!challenge) return;
      expectSchema('a challenge', Challenge, challenge);
      const unsolved = { challenge, solution: { counter: 0, derivedKey: 'ff' } };
      await expectRefused('an unsolved challenge', 422, tryToOpen(world, { ...newcomer(), solved: unsolved }));
      const solved = await patient(() => api(world).solvedChallenge());
      const ann = newcomer();
      const opened = await open(world, { ...ann, solved }).catch(reachedLimit);
      if (!opened) return;
      await expectLoggedIn(world, ann, opened.mid);
      const again = tryToOpen(world, { ...newcomer(), solved });
      const seen: unknown = await patient(again).catch((error: unknown) => error);
      const isRefused = seen instanceof RegistrationError && (seen.status === 410 || seen.status === 429);
      expectThat(isRefused, 'a used challenge to be refused with HTTP 410, or 429 at the limit', seen);
    },
  },
  limits: {
    endpoint: 'showRegistration',
    heading,
    expects: 'Too many calls are refused with HTTP 429 and the time to wait, after which a call is answered',
    async run(world) {
      const calls = Array.from({ length: CALLS_AT_ONCE }, () => api(world).offer());
      for (const call of await Promise.allSettled(calls)) {
        if (call.status === 'rejected') expectLimit(call.reason);
      }
      await offerOf(world);
    },
  },
});
