// The message and the exit code of a failure.
import { AdminError, GatewayError, KeyStoreError, KeyTrustError, LoginError, NetworkError } from '@sealpost/sdk';
import { CommanderError } from 'commander';
import { certificateFault } from './certificate-faults.ts';
import { CliError, type ExitCode, exitCodes } from './exit-codes.ts';
import { adviceOnKeys } from './key-files.ts';
import { alarmText } from './key-news.ts';
import { styled } from './output.ts';

/** HTTP statuses that mean that the server refused the admin token. */
const TOKEN_REFUSED: ReadonlySet<number> = new Set([401, 403]);
const adviceOnToken =
  "The admin token does not belong to this server. Set SEALPOST_ADMIN_TOKEN, or name the server's data folder with --data-dir.";

export const failureText = (error: unknown, json: boolean): string =>
  json ? errorJson(error) : `${styled('red', 'sealpost:', process.stderr)} ${messageOf(error)}`;

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof CommanderError) return exitCodes.usage;
  if (error instanceof NetworkError) return exitCodes.unreachable;
  if (error instanceof GatewayError && (error.endsSession || error.error === 'REQUEST_NEED_LOGIN'))
    return exitCodes.notLoggedIn;
  return exitCodes.failure;
}

export function messageOf(error: unknown): string {
  const fault = certificateFault(error);
  if (fault) return fault;
  if (error instanceof CommanderError) return usageText(error);
  if (error instanceof KeyStoreError) return `${error.message}. ${adviceOnKeys[error.kind]}`;
  if (error instanceof KeyTrustError) return alarmText(error);
  if (error instanceof AdminError && !error.isForeign && TOKEN_REFUSED.has(error.status))
    return `${error.message} ${adviceOnToken}`;
  return error instanceof Error ? error.message : String(error);
}

function usageText({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'A command is missing. --help shows which ones there are.';
  return message.replace(/^error: /, '');
}

function errorJson(error: unknown): string {
  return JSON.stringify({ message: messageOf(error), exitCode: exitCodeOf(error), ...detailsOf(error) });
}

function detailsOf(error: unknown): object {
  if (error instanceof LoginError) return { kind: error.kind };
  if (!(error instanceof GatewayError)) return {};
  return { error: error.error, http: error.http, code: error.code, talkCode: error.talkCode, reason: error.reason };
}
