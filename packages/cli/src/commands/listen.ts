import { operationTypes } from '@sealpost/contract';
import {
  type DeviceNews,
  deviceNewsOf,
  KeyStoreError,
  type OpenedOperation,
  type RpcClient,
  type SealingClient,
  type StateChange,
  sendFailures,
  systemPorts,
} from '@sealpost/sdk';
import type { Command } from 'commander';
import { asUser, withConnectionOptions } from '../connection.ts';
import { checkedUrl } from '../environment.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { forward } from '../forward.ts';
import { noteAlarms, noteNewKey } from '../key-news.ts';
import { loadCursor, saveCursor } from '../logins.ts';
import { type LineOptions, messageLine, midsIn, withLineOptions } from '../messages.ts';
import { createOutput, type Output, oneLine } from '../output.ts';
import { People } from '../people.ts';

interface ListenOptions extends LineOptions {
  readonly from: string;
  readonly forwardTo?: string;
}

export function addListenCommand(program: Command): void {
  withLineOptions(withConnectionOptions(program.command('listen')))
    .description('print messages as they arrive, until Ctrl-C')
    .option('--from <position>', 'now, last (where the last run stopped), or a revision', 'last')
    .option('--forward-to <url>', 'also send every operation to this address, as JSON with POST')
    .addHelpText(
      'after',
      '\nWith --json every operation is printed, one JSON object per line. With --forward-to, an\noperation is sent again until the program answers with success.',
    )
    .action(listen);
}

async function listen(options: ListenOptions): Promise<void> {
  const output = createOutput(options);
  if (options.forwardTo !== undefined) checkedUrl(options.forwardTo);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  await asUser(options, async ({ client, sealing, name, url, mid, ...verbs }) => {
    await noteOwnKey(sealing, output, name);
    const from = await startingPoint(client, name, mid, options.from);
    const keep = (revision: string) => saveCursor(name, { mid, revision });
    keep(from);
    output.note(`Listening as ${name} at ${url} from revision ${from}. Ctrl-C stops.`);
    const people = new People(verbs);
    const show = output.json ? showOperation(output) : showMessage(output, mid, people, options);
    noteAlarms(client, output);
    const onState = describeStates(output);
    for await (const event of sealing.operations({ from, signal: stop.signal, onState })) {
      if (event.kind === 'fullSync') {
        output.note(
          `The server has no operations between the last position and revision ${event.nextRevision}. "sealpost chats" and "sealpost history" show what was missed.`,
        );
        keep(event.nextRevision);
        continue;
      }
      await show(event.operation);
      const { forwardTo } = options;
      if (forwardTo !== undefined && !(await forward(forwardTo, event.operation, { signal: stop.signal, output })))
        return;
      await noteNewKey(client, output, people, event.operation);
      // The revision is saved after printing. If the process crashes in between, a message is printed twice instead of
      // never.
      keep(event.operation.revision);
    }
  });
}

/**
 * Warns if this device lacks the account's current key. Without this key, the device cannot open messages that are
 * sealed from now on.
 */
async function noteOwnKey(sealing: SealingClient, output: Output, name: string): Promise<void> {
  try {
    const key = await sealing.ownKey();
    if (key.kind !== 'missing') return;
    const { cause, remedy } = sendFailures['own-key-missing'];
    output.note(`Sealed messages cannot be opened: ${cause} (key ${key.keyId} of ${name}). To fix this: ${remedy}.`);
  } catch (error) {
    // Only a key store that cannot be read ends the command. All other errors come from the server or the session, and
    // the stream will report these.
    if (error instanceof KeyStoreError) throw error;
  }
}

async function startingPoint(client: RpcClient, name: string, mid: string, from: string): Promise<string> {
  if (/^\d+$/.test(from)) return from;
  if (from !== 'now' && from !== 'last') {
    throw new CliError(`--from must be now, last or a revision number, not "${from}".`, exitCodes.usage);
  }
  const cursor = from === 'last' ? loadCursor(name) : undefined;
  return cursor?.mid === mid ? cursor.revision : client.TalkService.getLastOpRevision();
}

const showOperation = (output: Output) => async (operation: OpenedOperation) => output.print('', operation);

const messageOperations: readonly number[] = [operationTypes.SEND_MESSAGE, operationTypes.RECEIVE_MESSAGE];

function showMessage(output: Output, viewer: string, people: People, options: LineOptions) {
  return async (operation: OpenedOperation): Promise<void> => {
    const { type, message } = operation;
    const news = deviceNewsOf(operation);
    if (news) output.note(deviceLine(news));
    if (!message || !messageOperations.includes(type)) return;
    // Without the name, the message is shown with the sender's mid. The stream connects again later.
    await people.tryToLearn(midsIn([message]));
    output.print(messageLine(message, { viewer, people, options, now: systemPorts.clock.now() }), message);
  };
}

/**
 * Returns the line that tells the user about another device of the account. It is a warning, because the device may
 * belong to somebody else.
 */
function deviceLine({ kind, id, about }: DeviceNews): string {
  const device = oneLine(about.name || about.systemName || about.modelName || 'A device');
  const from = `${device} (${oneLine(about.remoteAddress ?? 'unknown address')})`;
  switch (kind) {
    case 'pending':
      return `${from} wants to log in. See: sealpost devices approve ${id}, or: sealpost devices deny ${id}`;
    case 'approved':
      return about.loginSessionId
        ? `${from} has logged in. If that was not you: sealpost devices revoke ${id}`
        : `The login of ${from} was confirmed.`;
    case 'denied':
      return `The login of ${from} was refused.`;
    case 'failed':
      return `${from} gave a wrong password (${id} within a day). If that was not you, somebody is guessing it.`;
    case 'revoked':
      return `The session of ${from} was ended.`;
    case 'backup-stored':
      return `${from} stored a backup of your keys. If that was not you: sealpost devices revoke ${id}`;
    case 'backup-read':
      return `${from} fetched the backup of your keys. If that was not you: sealpost devices revoke ${id}`;
    case 'backup-deleted':
      return `${from} deleted the backup of your keys. If that was not you: sealpost devices revoke ${id}`;
    case 'password-changed':
      return `${from} changed the password of your account. If that was not you, ask the operator for a new one.`;
    case 'password-refused':
      return `${from} is logged in and gave a wrong password. If that was not you: sealpost devices revoke ${id}`;
  }
}

/** Returns a function that prints a note when the connection is lost, and one when it is back. */
function describeStates(output: Output): (change: StateChange) => void {
  let lost = false;
  return ({ state, reason }) => {
    if (state === 'degraded' && !lost) output.note(`Connection lost (${reason}). Trying again until it is back.`);
    if (state === 'online' && lost) output.note('Connected again; nothing was missed.');
    if (state === 'degraded' || state === 'online') lost = state === 'degraded';
  };
}
