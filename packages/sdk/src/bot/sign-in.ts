// Logs a bot in, and waits until it follows the log.
import type { Profile } from '@sealpost/contract';
import type { Client } from '../client.ts';
import type { ConnectionState } from '../operations.ts';
import type { BotLogger } from './logger.ts';

/** The login that a bot makes if its store has no valid login. */
export type BotLogin =
  | {
      readonly userid: string;
      readonly password: string;
      /** Called if another device must confirm the login; see `Credential.onConfirmationNeeded`. */
      readonly onConfirmationNeeded?: (pinCode: string, words?: string) => void;
    }
  | {
      readonly login: 'qr';
      /** Shows the address as a QR code. If not given, the address is written to the logger. */
      readonly onQrCode?: (url: string) => void;
      readonly onConfirmationNeeded?: (pinCode: string, words?: string) => void;
    };

/**
 * Continues the login that the store has, or logs in. Resolves when the client follows the log.
 * @throws LoginError, GatewayError, NetworkError from the login; StoreError if the store is in use; Error if the store has
 * the login of another account
 */
export async function signIn(client: Client, how: BotLogin, logger: BotLogger, signal: AbortSignal): Promise<void> {
  const state = lastState(client, signal);
  if (await client.open()) {
    if ((await state.next()) === 'online') return requireOwn(client, how);
    logger.info('The stored login has ended. The bot logs in again.');
  }
  await logIn(client, how, logger, signal);
  if ((await state.next()) !== 'online') throw new Error('The server ended the session directly after the login.');
}

/**
 * Checks that the stored login is of the account that the bot's settings name. Otherwise the bot would read and write as
 * another account. The server is asked only if the stored profile has another name, or if there is none.
 */
async function requireOwn({ replica, profile }: Client, how: BotLogin): Promise<void> {
  if ('login' in how || !how.userid) return;
  if (replica.profile && isNamed(replica.profile, how.userid)) return;
  const own = await profile.get();
  if (isNamed(own, how.userid)) return;
  const stored = own.userid || own.email || own.phone;
  throw new Error(
    `The bot's folder or store has the login of "${stored}" (${own.mid}), and \`userid\` is "${how.userid}". Give each account a \`dataDir\` or \`store\` of its own. If the user id of the account was changed, give the new one.`,
  );
}

/** Returns whether a login with this identifier would reach the account. An account without identifiers fits all. */
function isNamed({ userid, email, phone }: Profile, given: string): boolean {
  const name = given.trim().toLowerCase();
  const names = [userid, email, phone].filter((known) => known !== undefined && known !== '');
  return (
    names.length === 0 || names.includes(name) || (name.startsWith('+') && phone === name.replace(/[\s().-]/g, ''))
  );
}

/** Returns `next`, which waits until the client is online or logged out. */
function lastState(client: Client, signal: AbortSignal) {
  const seen: ConnectionState[] = [];
  let wake = (): void => {};
  client.onConnection(({ state }) => {
    if (state !== 'online' && state !== 'logged_out') return;
    seen.push(state);
    wake();
  });
  signal.addEventListener('abort', () => wake(), { once: true });
  return {
    async next(): Promise<ConnectionState> {
      while (seen.length === 0) {
        signal.throwIfAborted();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return seen.splice(0).at(-1) ?? 'degraded';
    },
  };
}

async function logIn(client: Client, how: BotLogin, logger: BotLogger, signal: AbortSignal): Promise<void> {
  const confirm = how.onConfirmationNeeded ?? ((pin, words) => logger.info(confirmation(pin, words)));
  if ('login' in how) {
    const show =
      how.onQrCode ?? ((url) => logger.info(`Scan this address as a QR code with a device that is logged in: ${url}`));
    for await (const step of client.loginByQr({ systemName: SYSTEM, signal })) {
      if (step.kind === 'qr') show(step.url);
      if (step.kind === 'pin') confirm(step.pinCode, step.words);
    }
    return;
  }
  for (const name of ['userid', 'password'] as const) {
    if (!how[name])
      throw new Error(`The bot must log in, because it has no valid stored login, and \`${name}\` is empty.`);
  }
  await client.login({
    identifier: how.userid,
    password: how.password,
    systemName: SYSTEM,
    onConfirmationNeeded: confirm,
    signal,
  });
}

const SYSTEM = 'sealpost-bot';

const confirmation = (pin: string, words?: string): string =>
  words === undefined
    ? `Confirm the login on a device that is logged in, with the PIN ${pin}.`
    : `Confirm the login on a device that is logged in, with the PIN ${pin}. It must show these words: ${words}`;
