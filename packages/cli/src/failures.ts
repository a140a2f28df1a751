// The message and the exit code of a failure.
import { AdminError, GatewayError, KeyStoreError, KeyTrustError, LoginError, NetworkError } from '@sealpost/sdk';
import { CommanderError } from 'commander';
import { certificateFault } from './certificate-faults.ts';
import { CliError, type ExitCode, exitCodes } from './exit-codes.ts';
import { adviceOnKeys } from './key-files.ts';
import { alarmText } from './key-news.ts';
import { styled } from './output.ts';

/** The end of the server's refusal of a token that belongs to it and may not do what was asked. */
const NEEDED_SCOPE = /and this endpoint needs (\w+)$/;
/** The scope that no made token can have. */
const SERVER_SCOPE = 'server';
const NAME_THE_TOKEN = "Set SEALPOST_ADMIN_TOKEN, or name the server's data folder with --data-dir.";

/** HTTP statuses with which a proxy says that the server behind it does not answer. */
const OF_PROXIES: readonly number[] = [502, 503, 504];

export const failureText = (error: unknown, json: boolean): string =>
  json ? errorJson(error) : `${styled('red', 'sealpost:', process.stderr)} ${messageOf(error)}`;

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof CommanderError) return exitCodes.usage;
  if (error instanceof NetworkError || isOfProxy(error)) return exitCodes.unreachable;
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
  if (error instanceof AdminError) return `${error.message}${adviceOnToken(error)}`;
  if (isOfProxy(error))
    return `a proxy answered with HTTP ${error.http}: the server behind it does not answer. Check that the server runs.`;
  return error instanceof Error ? error.message : String(error);
}

/** Returns whether a proxy answered in place of the server, whose own errors all have a code. */
function isOfProxy(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.code === 0 && OF_PROXIES.includes(error.http);
}

/** Returns what helps if the admin token was refused; nothing for other refusals. */
function adviceOnToken({ status, detail, isForeign }: AdminError): string {
  if (isForeign) return '';
  if (status === 401) return ` The admin token does not belong to this server. ${NAME_THE_TOKEN}`;
  const scope = status === 403 ? NEEDED_SCOPE.exec(detail)?.[1] : undefined;
  if (scope === undefined) return '';
  if (scope === SERVER_SCOPE) return ` Only the server's own admin token may do this. ${NAME_THE_TOKEN}`;
  return ` Set SEALPOST_ADMIN_TOKEN to a token with this scope. \`sealpost admin token create <name> --scopes ${scope}\` makes one, with the server's own admin token.`;
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
