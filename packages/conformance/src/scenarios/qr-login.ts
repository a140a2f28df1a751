import { pathOf } from '@sealpost/contract';
import { expectError, expectResult } from '../answers.ts';
import { scenarios } from '../check.ts';
import { expectEqual, expectThat } from '../mismatch.ts';
import { type NewDevice, newDevice, wrongPinFor } from '../new-device.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';

const heading = 'States and transitions';
const QR = 'SecondaryQrCodeLoginService';
const PERMIT = 'SecondaryQrCodeLoginPermitNoticeService';

function device({ target, onEnd }: World): NewDevice {
  const made = newDevice({ ...target, patient: true });
  onEnd(async () => made.close());
  return made;
}

/** Scans the code of a QR login and approves the login, on a device of the owner that is already logged in. */
async function letIn(owner: Person, loginId: string): Promise<void> {
  await owner.call('PrimaryDeviceService.scanQrCode', { loginId });
  await owner.call('PrimaryDeviceService.approveLogin', { loginId });
}

export const qrLogin = scenarios('qr-login', {
  session: {
    endpoint: `${QR}.createSession`,
    heading,
    expects: 'Every session of a QR login has its own id',
    async run({ raw }) {
      const ask = async () => expectResult(`${QR}.createSession`, await raw.call(`${QR}.createSession`, [{}]));
      const ids = [(await ask()).authSessionId, (await ask()).authSessionId];
      expectThat(ids[0] !== '' && ids[0] !== ids[1], 'two different ids', ids);
    },
  },
  code: {
    endpoint: `${QR}.createQrCode`,
    heading,
    expects: 'The code is an address, with an interval and a count of polls; an unknown session is refused',
    async run(world) {
      const fresh = device(world);
      const answer = await fresh.createQrCode(await fresh.createSession());
      const { callbackUrl, longPollingIntervalSec } = expectResult(`${QR}.createQrCode`, answer);
      expectThat(URL.canParse(callbackUrl), 'an address', callbackUrl);
      expectThat(longPollingIntervalSec > 0, 'an interval in seconds', longPollingIntervalSec);
      expectError('createQrCode', await fresh.createQrCode('no-such-session'), 'QR_INVALID_CONTEXT');
    },
  },
  'code-is-not-enough': {
    endpoint: `${QR}.createQrCode`,
    heading,
    expects: 'A person who sees only the code can neither ask for the PIN nor take the session',
    async run(world) {
      const [owner, fresh] = [await world.account(), device(world)];
      const { id, loginId, pinCode } = await fresh.showPin(owner.client);
      await owner.call('PrimaryDeviceService.submitPinCode', { loginId, pinCode });
      await fresh.checkPin(id);
      expectError('createPinCode', await fresh.createPin(loginId), 'QR_INVALID_CONTEXT');
      expectError('qrCodeLoginV2', await fresh.qrLogin(loginId), 'QR_INVALID_CONTEXT');
      expectResult(`${QR}.qrCodeLoginV2`, await fresh.qrLogin(id));
    },
  },
  'poll-window': {
    endpoint: `${PERMIT}.checkQrCodeVerified`,
    heading: 'Limits',
    expects: 'A poll that nobody answers ends after X-LST with HTTP 410 and a body, and can be repeated',
    async run(world) {
      const fresh = device(world);
      const id = await fresh.showCode();
      for (let poll = 0; poll < 2; poll++) {
        const answer = await fresh.checkQr(id);
        expectError('checkQrCodeVerified', answer, 'POLL_GONE');
        expectEqual('statusCode in data to be', answer.body.data?.statusCode, 410);
      }
    },
  },
  scan: {
    endpoint: `${PERMIT}.checkQrCodeVerified`,
    heading,
    expects: 'The poll ends with an empty result as soon as the code is scanned and confirmed',
    async run(world) {
      const [owner, fresh] = [await world.account(), device(world)];
      const id = await fresh.showCode();
      const polling = fresh.checkQr(id, 20_000);
      await letIn(owner, fresh.loginIdOf(id));
      expectEqual('the result to be', expectResult(`${PERMIT}.checkQrCodeVerified`, await polling), {});
    },
  },
  'certificate-refused': {
    endpoint: `${QR}.verifyCertificate`,
    heading,
    expects: 'Without a valid certificate verifyCertificate is refused with an alertMessage',
    async run(world) {
      const [owner, fresh] = [await world.account(), device(world)];
      const id = await fresh.showCode();
      await letIn(owner, fresh.loginIdOf(id));
      await fresh.checkQr(id);
      const answer = await fresh.verifyCertificate(id);
      expectError('verifyCertificate', answer, 'QR_VERIFICATION_FAILED');
      expectThat(Boolean(answer.body.data?.alertMessage), 'an alertMessage', answer.text);
    },
  },
  'pin-code': {
    endpoint: `${QR}.createPinCode`,
    heading,
    expects: 'After the certificate was refused the device gets a PIN of six digits to show',
    async run(world) {
      const [owner, fresh] = [await world.account(), device(world)];
      const id = await fresh.showCode();
      await letIn(owner, fresh.loginIdOf(id));
      await fresh.checkQr(id);
      await fresh.verifyCertificate(id);
      const { pinCode } = expectResult(`${QR}.createPinCode`, await fresh.createPin(id));
      expectThat(/^\d{6}$/.test(pinCode), 'a PIN of six digits', pinCode);
    },
  },
  pin: {
    endpoint: `${PERMIT}.checkPinCodeVerified`,
    heading,
    expects: 'A wrong PIN is refused, the right one ends the poll with an empty result',
    async run(world) {
      const [owner, fresh] = [await world.account(), device(world)];
      const { id, loginId, pinCode } = await fresh.showPin(owner.client);
      const wrong = { loginId, pinCode: wrongPinFor(pinCode) };
      await owner.refused('INVALID_PIN_CODE', 'PrimaryDeviceService.submitPinCode', wrong);
      const polling = fresh.checkPin(id, 20_000);
      await owner.call('PrimaryDeviceService.submitPinCode', { loginId, pinCode });
      expectEqual('the result to be', expectResult(`${PERMIT}.checkPinCodeVerified`, await polling), {});
    },
  },
  login: {
    endpoint: `${QR}.qrCodeLoginV2`,
    heading,
    expects:
      'After the PIN qrCodeLoginV2 returns tokens and a certificate, once; with the certificate the next login needs no PIN',
    async run(world) {
      const [owner, fresh] = [await world.account(), device(world)];
      const { id, loginId, pinCode } = await fresh.showPin(owner.client);
      await owner.call('PrimaryDeviceService.submitPinCode', { loginId, pinCode });
      await fresh.checkPin(id);
      const first = expectResult(`${QR}.qrCodeLoginV2`, await fresh.qrLogin(id));
      const { accessToken } = first.tokenV3IssueResult;
      const profile = await world.raw.call('TalkService.getProfile', [], accessToken);
      expectEqual('the account to be', expectResult('TalkService.getProfile', profile).mid, owner.mid);
      expectError('the same login again', await fresh.qrLogin(id), 'QR_INVALID_CONTEXT');

      const next = await fresh.showCode();
      await letIn(owner, fresh.loginIdOf(next));
      await fresh.checkQr(next);
      expectResult(`${QR}.verifyCertificate`, await fresh.verifyCertificate(next, first.certificate));
      expectResult(`${QR}.qrCodeLoginV2`, await fresh.qrLogin(next));
    },
  },
  'certificate-under-another-name': {
    endpoint: `${QR}.verifyCertificate`,
    heading,
    expects: 'qrCodeLoginV2 accepts what verifyCertificate accepts, whatever name the device gives',
    async run(world) {
      const [owner, fresh] = [await world.account(), device(world)];
      const { id, loginId, pinCode } = await fresh.showPin(owner.client);
      await owner.call('PrimaryDeviceService.submitPinCode', { loginId, pinCode });
      await fresh.checkPin(id);
      const { certificate } = expectResult(`${QR}.qrCodeLoginV2`, await fresh.qrLogin(id, 'First name'));
      const next = await fresh.showCode();
      await letIn(owner, fresh.loginIdOf(next));
      await fresh.checkQr(next);
      expectResult(`${QR}.verifyCertificate`, await fresh.verifyCertificate(next, certificate));
      expectResult(`${QR}.qrCodeLoginV2`, await fresh.qrLogin(next, 'Second name'));
    },
  },
  'no-step-left-out': {
    endpoint: `${QR}.qrCodeLoginV2`,
    heading,
    expects: 'A login that nobody confirmed gets no tokens and no PIN',
    async run(world) {
      const fresh = device(world);
      const id = await fresh.showCode();
      for (const method of [`${QR}.qrCodeLoginV2`, `${QR}.createPinCode`] as const) {
        const body = JSON.stringify([{ authSessionId: id, systemName: 'Chrome', modelName: '' }]);
        const answer = await world.raw.send(pathOf(method), { body });
        expectEqual(`${method} to answer HTTP`, answer.status, 400);
      }
    },
  },
  denied: {
    endpoint: 'PrimaryDeviceService.denyLogin',
    heading,
    expects: 'A denied login is over: the device is not let in and cannot continue',
    async run(world) {
      const [owner, fresh] = [await world.account(), device(world)];
      const id = await fresh.showCode();
      const loginId = fresh.loginIdOf(id);
      await owner.call('PrimaryDeviceService.scanQrCode', { loginId });
      await owner.call('PrimaryDeviceService.denyLogin', { loginId });
      expectEqual('qrCodeLoginV2 to answer HTTP', (await fresh.qrLogin(id)).status, 400);
    },
  },
});
