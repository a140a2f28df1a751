// The command that audits a server's key log from outside, which anybody may do.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type AuditedKeyLog, auditKeyLog, createRpcClient, KeyLogError } from '@sealpost/sdk';
import type { Command } from 'commander';
import { type ConnectionOptions, clientSettings, loginName, withConnectionOptions } from '../../connection.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { readFault, writeFault } from '../../file-faults.ts';
import { loadLogin } from '../../logins.ts';
import { createOutput } from '../../output.ts';
import { requireReplaceable } from '../../replaceable.ts';

interface AuditOptions extends ConnectionOptions {
  readonly state?: string;
}

export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('check from outside what a server did');
  withConnectionOptions(audit.command('keys'))
    .description('check that the key log is what the server signed and only grew; needs no login')
    .option('--state <file>', 'store the state of the log there, and check next time that the log begins with it')
    .addHelpText(
      'after',
      '\nExample:\n  $ sealpost audit keys --url https://chat.example.org --state chat.example.org.json',
    )
    .action(auditKeys);
}

async function auditKeys(options: AuditOptions): Promise<void> {
  const name = loginName(options);
  const settings = clientSettings(options, name === undefined ? undefined : loadLogin(name));
  const client = createRpcClient(settings);
  const known = options.state === undefined ? undefined : readState(options.state);
  try {
    const found = await auditKeyLog(client.KeyTransparencyService, known);
    if (options.state !== undefined) writeState(options.state, found);
    const added = known ? `, ${found.treeSize - known.treeSize} of them new` : '';
    const text = `${settings.url}: ${found.treeSize} keys${added}, as the server signed.\nSigned with ${found.publicKey}`;
    createOutput(options).print(text, { ...found, added: found.treeSize - (known?.treeSize ?? 0) });
  } catch (error) {
    if (!(error instanceof KeyLogError)) throw error;
    throw new CliError(`The key log of ${settings.url} is not to be trusted: ${error.message}.`);
  } finally {
    client.close();
  }
}

function readState(path: string): AuditedKeyLog | undefined {
  requireReplaceable(path);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw readFault(path, error);
  }
  try {
    const state = JSON.parse(text) as AuditedKeyLog;
    if (Number.isSafeInteger(state.treeSize) && Array.isArray(state.edge)) return state;
  } catch {
    // The error is ignored, so that a file that is not JSON gets the same message as JSON with wrong fields.
  }
  throw new CliError(
    `${path} is not the state of an audit. Name another file, or remove it to begin anew.`,
    exitCodes.usage,
  );
}

/** Writes the state completely or not at all, because the next audit could not use half of a state. */
function writeState(path: string, state: AuditedKeyLog): void {
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(state)}\n`);
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw writeFault(path, error);
  }
}
