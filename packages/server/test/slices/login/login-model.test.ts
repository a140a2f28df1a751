// Random walks through the login flows: right and wrong steps at every moment, on a real server. A model predicts each
// outcome. The model is written from the order of steps alone and shares no code with the server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type NewDevice, newDevice, outcomeOf, refusalOf, wrongPinFor } from '@sealpost/conformance/testing';
import { fc } from '@sealpost/dev-env/chance';
import { databases, startServer, type TestServer, type TestUser } from '@sealpost/dev-env/harness';

const RUNS = Number(process.env.SEALPOST_TEST_LOGIN_WALKS ?? 40);
const STEPS = 14;

/** What the model knows about a QR login. */
interface QrModel {
  code: boolean;
  owner: 'nobody' | 'owner' | 'stranger';
  confirmed: boolean;
  confirmationSeen: boolean;
  certificate: 'none' | 'bad' | 'good';
  pin: 'none' | 'shown' | 'typed';
  pinSeen: boolean;
  wrongPins: number;
  over: boolean;
  done: boolean;
}

interface QrReal {
  id: string;
  pinCode: string;
  device: NewDevice;
  owner: TestUser;
  stranger: TestUser;
  goodCertificate: string;
}

interface Step {
  readonly name: string;
  /** Returns the predicted outcome of a step, and updates the model. */
  expect(model: QrModel): string;
  run(real: QrReal): Promise<string>;
}

const begun = (model: QrModel) => model.code && !model.done;

const qrSteps: readonly Step[] = [
  {
    name: 'createQrCode',
    expect(model) {
      if (model.done || model.over || model.owner !== 'nobody') return 'QR_INVALID_CONTEXT';
      model.code = true;
      return 'OK';
    },
    run: async ({ device, id }) => outcomeOf(await device.createQrCode(id)),
  },
  {
    name: 'checkQrCodeVerified',
    expect(model) {
      if (!begun(model)) return 'QR_INVALID_CONTEXT';
      if (model.over || !model.confirmed) return 'POLL_GONE';
      model.confirmationSeen = true;
      return 'OK';
    },
    run: async ({ device, id }) => outcomeOf(await device.checkQr(id)),
  },
  ...(['good', 'bad'] as const).map((kind) => ({
    name: `verifyCertificate with a ${kind} one`,
    expect(model: QrModel) {
      if (!begun(model) || model.over) return 'QR_INVALID_CONTEXT';
      if (!model.confirmed) return 'QR_RETRY_LATER';
      if (!model.confirmationSeen || model.pin !== 'none') return 'QR_INVALID_CONTEXT';
      // A certificate is valid only for the account that got it.
      model.certificate = model.owner === 'owner' ? kind : 'bad';
      return model.certificate === 'good' ? 'OK' : 'QR_VERIFICATION_FAILED';
    },
    run: async ({ device, id, goodCertificate }: QrReal) =>
      outcomeOf(await device.verifyCertificate(id, kind === 'good' ? goodCertificate : '')),
  })),
  {
    name: 'createPinCode',
    expect(model) {
      const allowed = begun(model) && !model.over && model.certificate === 'bad' && model.pin !== 'typed';
      if (!allowed) return 'QR_INVALID_CONTEXT';
      model.pin = 'shown';
      return 'OK';
    },
    async run(real) {
      const answer = await real.device.createPin(real.id);
      if (outcomeOf(answer) === 'OK') real.pinCode = answer.data.pinCode;
      return outcomeOf(answer);
    },
  },
  {
    name: 'checkPinCodeVerified',
    expect(model) {
      if (!begun(model)) return 'QR_INVALID_CONTEXT';
      if (model.over) return 'POLL_GONE';
      if (model.pin === 'none') return 'QR_INVALID_CONTEXT';
      if (model.pin === 'shown') return 'POLL_GONE';
      model.pinSeen = true;
      return 'OK';
    },
    run: async ({ device, id }) => outcomeOf(await device.checkPin(id)),
  },
  {
    name: 'qrCodeLoginV2',
    expect(model) {
      if (!begun(model) || model.over) return 'QR_INVALID_CONTEXT';
      if (model.pin === 'shown') return 'QR_RETRY_LATER';
      if (!(model.certificate === 'good' || (model.pin === 'typed' && model.pinSeen))) return 'QR_INVALID_CONTEXT';
      model.done = true;
      return 'OK';
    },
    run: async ({ device, id }) => outcomeOf(await device.qrLogin(id)),
  },
  ...(['owner', 'stranger'] as const).map((who) => ({
    name: `scanQrCode by the ${who}`,
    expect(model: QrModel) {
      if (!begun(model)) return 'NOT_FOUND';
      if (model.owner === 'nobody') {
        model.owner = who;
        return 'OK';
      }
      return model.owner === who && !model.confirmed && !model.over ? 'OK' : 'INVALID_STATE';
    },
    run: ({ device, id, [who]: user }: QrReal) =>
      refusalOf(user.client.PrimaryDeviceService.scanQrCode({ loginId: device.loginIdOf(id) })),
  })),
  ...(['owner', 'stranger'] as const).flatMap((who): Step[] => [
    {
      name: `approveLogin by the ${who}`,
      expect(model) {
        if (!begun(model) || model.owner !== who) return 'NOT_FOUND';
        if (model.over || model.confirmed) return 'INVALID_STATE';
        model.confirmed = true;
        return 'OK';
      },
      run: ({ device, id, [who]: user }) =>
        refusalOf(user.client.PrimaryDeviceService.approveLogin({ loginId: device.loginIdOf(id) })),
    },
    {
      name: `submitPinCode by the ${who}, the right one`,
      expect(model) {
        if (!begun(model) || model.owner !== who) return 'NOT_FOUND';
        if (model.over || model.pin !== 'shown') return 'INVALID_STATE';
        model.pin = 'typed';
        return 'OK';
      },
      run: ({ device, id, pinCode, [who]: user }) =>
        refusalOf(user.client.PrimaryDeviceService.submitPinCode({ loginId: device.loginIdOf(id), pinCode })),
    },
    {
      name: `submitPinCode by the ${who}, a wrong one`,
      expect(model) {
        if (!begun(model) || model.owner !== who) return 'NOT_FOUND';
        if (model.over || model.pin !== 'shown') return 'INVALID_STATE';
        model.wrongPins += 1;
        if (model.wrongPins === 5) model.over = true;
        return 'INVALID_PIN_CODE';
      },
      run: ({ device, id, pinCode, [who]: user }) =>
        refusalOf(
          user.client.PrimaryDeviceService.submitPinCode({
            loginId: device.loginIdOf(id),
            pinCode: wrongPinFor(pinCode),
          }),
        ),
    },
  ]),
  {
    name: 'denyLogin',
    expect(model) {
      if (!begun(model) || model.owner !== 'owner') return 'NOT_FOUND';
      if (model.over) return 'INVALID_STATE';
      model.over = true;
      return 'OK';
    },
    run: ({ device, id, owner }) =>
      refusalOf(owner.client.PrimaryDeviceService.denyLogin({ loginId: device.loginIdOf(id) })),
  },
];

/**
 * The steps in their right order. A walk begins with some of these steps, so that it gets far before its first wrong
 * step.
 */
const rightOrder = [
  'createQrCode',
  'scanQrCode by the owner',
  'approveLogin by the owner',
  'checkQrCodeVerified',
  'verifyCertificate with a bad one',
  'createPinCode',
  'submitPinCode by the owner, the right one',
  'checkPinCodeVerified',
  'qrCodeLoginV2',
];
const stepOf = (name: string): Step => {
  const found = qrSteps.find((step) => step.name === name);
  if (!found) throw new Error(`no step is called ${name}`);
  return found;
};

for (const database of databases) {
  describe(`the order of login steps on ${database}`, () => {
    let server: TestServer;
    let device: NewDevice;
    let goodCertificate: string;
    let owner: TestUser;
    let stranger: TestUser;
    /** The outcomes that each step had, over all walks. */
    const reached = new Map<string, Set<string>>();

    before(async () => {
      server = await startServer({ database, flags: { 'login-confirmation': 'new-device' } });
      device = newDevice(server);
    });
    after(async () => {
      device.close();
      await server.close();
    });

    /** Creates new accounts, so that the walks do not exceed the limits of one account. */
    async function newPeople(): Promise<void> {
      stranger = await server.user('stranger');
      owner = await server.user('owner');
      const { id, pinCode } = await device.showPin(owner.client);
      await owner.client.PrimaryDeviceService.submitPinCode({ loginId: device.loginIdOf(id), pinCode });
      await device.checkPin(id);
      goodCertificate = (await device.qrLogin(id)).data.certificate;
    }

    async function walk(steps: readonly Step[]): Promise<void> {
      const model: QrModel = {
        code: false,
        owner: 'nobody',
        confirmed: false,
        confirmationSeen: false,
        certificate: 'none',
        pin: 'none',
        pinSeen: false,
        wrongPins: 0,
        over: false,
        done: false,
      };
      const id = await device.createSession();
      const real: QrReal = { id, pinCode: '000000', device, owner, stranger, goodCertificate };
      const path: string[] = [];
      for (const step of steps) {
        const expected = step.expect(model);
        const outcome = await step.run(real);
        path.push(`${step.name}: ${outcome}`);
        assert.equal(outcome, expected, `after ${path.join(', ')}`);
        const outcomes = reached.get(step.name) ?? new Set();
        reached.set(step.name, outcomes.add(outcome));
      }
    }

    // A poll without an event takes at least a second, so several walks run at the same time.
    test('every step after every beginning of the right order comes out as the order says', async () => {
      for (let length = 0; length <= rightOrder.length; length++) {
        const beginning = rightOrder.slice(0, length).map(stepOf);
        const walks = qrSteps.map((step) => () => walk([...beginning, step]));
        // The number of waiting logins of an account is limited, so only some walks run at once.
        for (let at = 0; at < walks.length; at += 8) {
          await newPeople();
          await Promise.all(walks.slice(at, at + 8).map((run) => run()));
        }
      }
    });

    test('random walks come out as the order says', async () => {
      const steps = fc.array(fc.constantFrom(...qrSteps), { maxLength: STEPS });
      const walks = fc.tuple(fc.nat({ max: rightOrder.length }), steps);
      await fc.assert(
        fc.asyncProperty(fc.array(walks, { minLength: 8, maxLength: 8 }), async (together) => {
          await newPeople();
          await Promise.all(
            together.map(([length, rest]) => walk([...rightOrder.slice(0, length).map(stepOf), ...rest])),
          );
        }),
        { numRuns: Math.ceil(RUNS / 8), endOnFailure: true },
      );
    });

    test('the walks reached success and refusal of every step', () => {
      for (const { name } of qrSteps) {
        const outcomes = [...(reached.get(name) ?? [])];
        const mayWork = !/bad one|stranger|wrong one/.test(name);
        if (mayWork) assert.ok(outcomes.includes('OK'), `${name} never worked: ${outcomes}`);
        assert.ok(
          outcomes.some((outcome) => outcome !== 'OK'),
          `${name} was never refused`,
        );
      }
    });
  });
}
