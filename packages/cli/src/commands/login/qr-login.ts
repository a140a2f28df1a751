// `sealpost login --qr`: this terminal shows the QR code, and a device that is already logged in scans it.
import { createRpcClient, type KeyStore, memoryKeyStore, type QrLoginStep, type RpcClient } from '@sealpost/sdk';
import { renderUnicodeCompact } from 'uqr';
import {
  type ConnectionOptions,
  clientSettings,
  connect,
  keepLogin,
  missingKeys,
  noteMissingKeys,
} from '../../connection.ts';
import { CliError } from '../../exit-codes.ts';
import { loginKeyStore, withKeys, wordsText } from '../../key-files.ts';
import { loadLogin, prepareLoginFolder, setCurrentLogin } from '../../logins.ts';
import { createOutput, type Output } from '../../output.ts';

type Done = Extract<QrLoginStep, { kind: 'done' }>;

/**
 * Logs in by QR code. If the user names a saved login, its certificate is shown to the server, so that no PIN is
 * needed. If the user gives no name, the new login is named after the account.
 */
export async function logInByQr(options: ConnectionOptions, givenName: string | undefined): Promise<void> {
  const output = createOutput(options);
  prepareLoginFolder();
  const saved = givenName === undefined ? undefined : loadLogin(givenName);
  const settings = clientSettings(options, saved);
  const received = memoryKeyStore();
  const client = createRpcClient({ ...settings, keyStore: received });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    const certificate = await certificateOf(options, givenName);
    const done = await follow(client, output, { ...(certificate ? { certificate } : {}), signal: stop.signal });
    const { userid } = await client.TalkService.getProfile();
    const name = givenName ?? userid ?? done.session.mid;
    await keepLogin(name, options, { userid: userid ?? name, session: done.session });
    await keepKeys(name, done, received);
    setCurrentLogin(name);
    report(output, name, settings.url, done);
    await adviseOnKeys(options, name);
  } finally {
    client.close();
  }
}

/**
 * Returns the certificate to show to the server. Returns undefined while this device lacks keys of the account, because
 * keys are not handed over in a login with a certificate.
 */
async function certificateOf(options: ConnectionOptions, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { client, saved, url } = connect(options, name);
  try {
    if (saved?.url !== url) return undefined;
    return (await missingKeys(client)).length === 0 ? saved.certificate : undefined;
  } finally {
    client.close();
  }
}

async function adviseOnKeys(options: ConnectionOptions, name: string): Promise<void> {
  const { client } = connect(options, name);
  try {
    await noteMissingKeys(client, options, name);
  } finally {
    client.close();
  }
}

const NO_WORDS =
  'There are no words to compare: this login brings no keys. If the other device asks whether to hand over keys, refuse there.';

async function follow(
  client: RpcClient,
  output: Output,
  options: { certificate?: string; signal: AbortSignal },
): Promise<Done> {
  for await (const step of client.loginByQr({ ...options, systemName: 'sealpost CLI' })) {
    if (step.kind === 'done') return step;
    if (output.json) output.print('', step);
    else output.note(textOf(step));
  }
  throw new CliError('The login was cancelled.');
}

function textOf(step: Exclude<QrLoginStep, Done>): string {
  switch (step.kind) {
    case 'qr':
      return `${renderUnicodeCompact(step.url)}\nScan this code with a device that is logged in, or run there:\n  sealpost devices approve '${step.url}'`;
    case 'scanned':
      return 'Confirmed on the other device.';
    case 'pin':
      return `Type this PIN there: ${step.pinCode}\n${step.words === undefined ? NO_WORDS : wordsText(step.words)}`;
    case 'verified':
      return 'The PIN is right.';
  }
}

async function keepKeys(name: string, { session, keys }: Done, received: KeyStore): Promise<void> {
  if (keys.length > 0) await loginKeyStore(name).addOwnKeys(session.mid, await received.ownKeys(session.mid));
}

function report(output: Output, name: string, url: string, { session, keys, keysProblem }: Done): void {
  if (keysProblem !== undefined) output.note(`The keys of the account were not received: ${keysProblem}`);
  output.print(`Logged in as ${name} (${session.mid}) at ${url}, ${withKeys(keys.length)}.`, {
    kind: 'done',
    login: name,
    mid: session.mid,
    url,
    keys: keys.length,
  });
}
