// `sealpost devices`: confirms logins of new devices, and ends sessions.
import type { PendingLogin } from '@sealpost/contract';
import { LoginError, type RpcClient, readQrCode, systemPorts } from '@sealpost/sdk';
import type { Command } from 'commander';
import { ask, confirmed } from '../../confirm.ts';
import { asUser, type ConnectionOptions, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { comparedWords, type WordsOptions } from '../../handover.ts';
import { createOutput, localTime, type Output, oneLine } from '../../output.ts';
import { table } from '../../table.ts';

interface ApproveOptions extends ConnectionOptions, WordsOptions {
  readonly pin?: string;
  readonly yes?: boolean;
}

interface RevokeOptions extends ConnectionOptions {
  readonly others?: boolean;
}

const LOGIN = '<login>';
const LOGIN_IS = 'login id, from devices pending';
const SESSION_IS = 'session id, from devices list';

export function addDevicesCommands(program: Command): void {
  const devices = program.command('devices').description('let other devices into the account, list and end sessions');
  withConnectionOptions(devices.command('list')).description('show the sessions of the account').action(list);
  withConnectionOptions(devices.command('pending')).description('show the devices that want to log in').action(pending);
  withWords(withConnectionOptions(devices.command('approve')))
    .description('let a device in, and hand it the keys of this one if both show the same words')
    .argument('<login>', 'address in the QR code on the screen of the new device, or login id')
    .option('--pin <pin>', 'the PIN that the device shows')
    .option('--yes', 'do not ask whether the device is the right one')
    .action(approve);
  withWords(withConnectionOptions(devices.command('pin')))
    .description('enter the PIN that a QR login shows, and hand over the keys if both show the same words')
    .argument(LOGIN, 'address in the QR code on the screen of the new device; with a login id no keys are handed over')
    .argument('<pin>', 'six digits')
    .action(pin);
  withConnectionOptions(devices.command('deny')).description('refuse a device').argument(LOGIN, LOGIN_IS).action(deny);
  withConnectionOptions(devices.command('rename'))
    .description('give a session a name')
    .argument('<session>', SESSION_IS)
    .argument('<name>')
    .action(rename);
  withConnectionOptions(devices.command('revoke'))
    .description('end a session at once')
    .argument('[session]', SESSION_IS)
    .option('--others', 'end all sessions except this one')
    .action(revoke);
}

const withWords = (command: Command): Command =>
  command
    .option('--words <words>', 'the words that the device shows; keys are handed over only if they match')
    .option('--without-words', 'hand over the keys unchecked, to another kind of client that shows no words');

async function list(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const sessions = await client.devices.sessions();
    const now = systemPorts.clock.now();
    const rows = sessions.map((session) => [
      session.loginSessionId,
      oneLine(session.name || session.systemName || 'unnamed'),
      session.remoteAddress,
      localTime(session.createdTime, now),
      localTime(session.lastSeenTime, now),
      session.current ? 'this one' : '',
    ]);
    createOutput(options).print(table(['SESSION', 'DEVICE', 'ADDRESS', 'LOGGED IN', 'LAST SEEN', ''], rows), sessions);
  });
}

async function pending(options: ConnectionOptions): Promise<void> {
  await asUser(options, async ({ client }) => {
    const logins = await client.devices.pending();
    const rows = logins.map((login) => [
      login.loginId,
      login.kind,
      oneLine(login.systemName || login.modelName || 'unnamed'),
      login.remoteAddress,
      localTime(login.requestedTime, systemPorts.clock.now()),
      login.state,
    ]);
    const text = table(['LOGIN', 'KIND', 'DEVICE', 'ADDRESS', 'ASKED', 'STATE'], rows);
    createOutput(options).print(logins.length === 0 ? 'No device is waiting.' : text, logins);
  });
}

async function approve(what: string, options: ApproveOptions): Promise<void> {
  const output = createOutput(options);
  await asUser(options, async ({ client }) => {
    const login = await loginOf(client, what);
    output.note(descriptionOf(login));
    if (
      !options.yes &&
      !(await confirmed('Is it yours, and shall it be let in?', 'approve with --yes, or use devices deny'))
    ) {
      await client.devices.deny(login.loginId);
      output.print('Refused.', { approved: false, loginId: login.loginId });
      return;
    }
    const answered =
      login.kind === 'QR'
        ? await approveQr(client, output, what, login, options)
        : await approveCredential(client, output, login, options);
    if (answered) output.print(`Approved ${login.loginId}.`, { approved: true, loginId: login.loginId });
    else await refuse(client, output, login.loginId);
  });
}

async function refuse(client: RpcClient, output: Output, loginId: string): Promise<void> {
  await client.devices.deny(loginId);
  output.print('Refused. No keys left this device.', { approved: false, loginId });
}

/** Approves a credential login. Returns whether the new device was allowed to log in. */
async function approveCredential(
  client: RpcClient,
  output: Output,
  login: PendingLogin,
  options: ApproveOptions,
): Promise<boolean> {
  const { pinCode, offer } = await offerUnderPin(client, output, login, options.pin);
  const words = offer && (await comparedWords(output, offer, options));
  if (offer && words === undefined) return false;
  if (!offer) output.note('It gets no keys: it did not ask for any.');
  await client.devices.approve(login, { pinCode, ...(words === undefined ? {} : { words }) });
  return true;
}

/**
 * Asks for the PIN until the PIN decrypts the key of the new device. A PIN that was given as an option is tried only
 * once.
 */
async function offerUnderPin(client: RpcClient, output: Output, login: PendingLogin, given: string | undefined) {
  for (;;) {
    const pinCode = given ?? (await askPin());
    try {
      return { pinCode, offer: await client.devices.offer(login, pinCode) };
    } catch (error) {
      if (given !== undefined || !(error instanceof LoginError) || error.kind !== 'pin') throw error;
      output.note('The PIN is wrong. Type it again.');
    }
  }
}

/**
 * Approves a QR login. Returns whether the device was allowed to log in. After the approval, a device without a valid
 * certificate shows a PIN. The keys are handed over when this PIN is submitted.
 */
async function approveQr(
  client: RpcClient,
  output: Output,
  what: string,
  login: PendingLogin,
  options: ApproveOptions,
): Promise<boolean> {
  await client.devices.approve(login);
  const pinCode = options.pin ?? (process.stdin.isTTY ? await ask('PIN on its screen (Enter if it shows none)') : '');
  if (pinCode !== '') return typePin(client, output, what, { ...options, pinCode });
  output.note(`If it shows a PIN: sealpost devices pin '${what}' <pin>`);
  return true;
}

/**
 * Submits the PIN, together with the keys for the new device. If the user says that the two screens show different
 * words, submits nothing and returns false.
 */
async function typePin(
  client: RpcClient,
  output: Output,
  login: string,
  { pinCode, ...options }: WordsOptions & { readonly pinCode: string },
): Promise<boolean> {
  const offer = login.includes('/') ? await client.devices.offer(login) : undefined;
  const words = offer && (await comparedWords(output, offer, options));
  if (offer && words === undefined) return false;
  if (!offer) output.note(NO_KEYS);
  await client.devices.submitPin(login, { pinCode, ...(words === undefined ? {} : { words }) });
  return true;
}

const NO_KEYS =
  'It gets no keys: that needs a key on this device, and the whole address in the code that the new device shows.';

async function loginOf(client: RpcClient, what: string): Promise<PendingLogin> {
  if (what.includes('/')) return client.devices.scan(what);
  const login = (await client.devices.pending()).find(({ loginId }) => loginId === what);
  if (login) return login;
  throw new CliError(`No login "${what}" is waiting. See: sealpost devices pending`);
}

const descriptionOf = (login: PendingLogin): string =>
  `${oneLine(login.systemName || login.modelName || 'A device')} at ${login.remoteAddress} asked to log in at ${localTime(login.requestedTime, systemPorts.clock.now())}.`;

async function askPin(): Promise<string> {
  if (process.stdin.isTTY) return ask('PIN on its screen');
  throw new CliError('No PIN: give the PIN that the device shows with --pin.', exitCodes.usage);
}

async function pin(login: string, pinCode: string, options: ConnectionOptions & WordsOptions): Promise<void> {
  const output = createOutput(options);
  const loginId = login.includes('/') ? readQrCode(login).loginId : login;
  await asUser(options, async ({ client }) => {
    if (await typePin(client, output, login, { ...options, pinCode })) {
      output.print('The PIN is right.', { loginId, verified: true });
    } else await refuse(client, output, loginId);
  });
}

async function deny(loginId: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, ({ client }) => client.devices.deny(loginId));
  createOutput(options).print(`Refused ${loginId}.`, { loginId, denied: true });
}

async function rename(session: string, name: string, options: ConnectionOptions): Promise<void> {
  await asUser(options, ({ client }) => client.devices.rename(session, name));
  createOutput(options).print(`${session} is called ${oneLine(name)} now.`, { loginSessionId: session, name });
}

async function revoke(session: string | undefined, options: RevokeOptions): Promise<void> {
  if ((session === undefined) === !options.others) {
    throw new CliError('Name one session, or give --others.', exitCodes.usage);
  }
  await asUser(options, ({ client }) =>
    session === undefined ? client.devices.revokeOthers() : client.devices.revoke(session),
  );
  createOutput(options).print(session === undefined ? 'Ended all other sessions.' : `Ended ${session}.`, {
    revoked: session ?? 'others',
  });
}
