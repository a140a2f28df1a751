import { GatewayError, NetworkError, type RpcClient, systemPorts } from '@sealpost/sdk';
import type { Command } from 'commander';
import { type ConnectionOptions, clientSettings, connect, loginName, withConnectionOptions } from '../connection.ts';
import { CliError } from '../exit-codes.ts';
import { messageOf } from '../failures.ts';
import { loadLogin } from '../logins.ts';
import { createOutput } from '../output.ts';
import { addDoctorMessageCommand } from './doctor-message.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What the user must do to fix the fault. */
  readonly fix?: string;
}

const NEEDED_NODE = 24;
const READINESS = '/readyz';
/** HTTP statuses of a proxy that does not let strangers see the state of the server. */
const HIDDEN: readonly number[] = [401, 403, 404];
const ALLOWED_SKEW_MS = 30_000;
const STREAM_WAIT_MS = 10_000;

export function addDoctorCommand(program: Command): void {
  const command = withConnectionOptions(program.command('doctor').enablePositionalOptions())
    .description('check runtime, server, signature, session and stream, with the fix for each fault')
    .action(doctor);
  addDoctorMessageCommand(command);
}

async function doctor(options: ConnectionOptions): Promise<void> {
  const output = createOutput(options);
  const checks: Check[] = [];
  const report = ({ fix, ...found }: Check) => {
    const check = found.ok || fix === undefined ? found : { ...found, fix };
    checks.push(check);
    if (output.json) return;
    output.print(`${check.ok ? 'ok  ' : 'FAIL'}  ${check.name}: ${check.detail}`, check);
    if ('fix' in check) output.print(`      fix: ${check.fix}`, check);
  };
  report(checkNode());
  const name = loginName(options);
  const { url } = clientSettings(options, name === undefined ? undefined : loadLogin(name));
  report(
    await checkPath(
      url,
      '/livez',
      'server',
      `Start it with "sealpost serve" or "sealpost dev", or name it with --url.`,
    ),
  );
  if (checks.at(-1)?.ok) {
    report(
      await checkPath(url, READINESS, 'readiness', 'The answer and the log of the server name the part that fails.'),
    );
    for (const check of await checkSession(options, name)) report(check);
  }
  if (output.json) output.print('', checks);
  const failed = checks.filter((check) => !check.ok).length;
  if (failed > 0) throw new CliError(`${failed} of ${checks.length} checks failed.`);
}

const checkNode = (): Check => ({
  name: 'runtime',
  ok: Number(process.versions.node.split('.')[0]) >= NEEDED_NODE,
  detail: `Node ${process.versions.node}`,
  fix: `Use Node ${NEEDED_NODE} or newer.`,
});

async function checkPath(url: string, path: string, name: string, fix: string): Promise<Check> {
  try {
    const response = await fetch(url + path);
    const text = (await response.text()).trim();
    if (HIDDEN.includes(response.status) && path === READINESS) {
      return {
        name,
        ok: true,
        detail: `not shown from here (HTTP ${response.status}); ask on the server's own machine`,
      };
    }
    const missing = path === READINESS && response.ok ? missingParts(text) : '';
    if (missing !== '') {
      const so = 'Messages still arrive, up to two seconds later if the servers cannot wake each other';
      return { name, ok: true, detail: `degraded: ${missing}. ${so}; the log of the server says why` };
    }
    return {
      name,
      ok: response.ok,
      detail: `${url}${path} answers HTTP ${response.status} ${text.slice(0, 200)}`,
      fix,
    };
  } catch (error) {
    return { name, ok: false, detail: messageOf(new NetworkError(path, url, error)), fix };
  }
}

/** Returns the parts that a degraded server misses, with their reasons; empty if it misses none. */
function missingParts(readiness: string): string {
  const body = /^\{.*"status":"degraded"/s.test(readiness) ? readiness : '{}';
  const { status: _status, required: _required, stopping: _stopping, ...parts } = JSON.parse(body);
  const missing = Object.entries(parts).filter(([, state]) => state !== 'ok');
  return missing.map(([part, state]) => `${part}: ${state}`).join(', ');
}

async function checkSession(options: ConnectionOptions, name: string | undefined): Promise<Check[]> {
  const client = name === undefined ? undefined : connect(options, name).client;
  if (!client?.session) {
    client?.close();
    const fix = `Log in with: sealpost login ${name ?? '<userid>'}`;
    return [{ name: 'session', ok: false, detail: `no session for ${name ?? 'anybody'} on this machine`, fix }];
  }
  try {
    const first = await checkCall(client);
    return first.some((check) => !check.ok) ? first : [...first, await checkStream(client)];
  } finally {
    client.close();
  }
}

/** Checks signature, session and clock with one signed call. */
async function checkCall(client: RpcClient): Promise<Check[]> {
  const before = systemPorts.clock.now();
  try {
    const serverTime = Number(await client.TalkService.getServerTime());
    const skew = serverTime - (before + systemPorts.clock.now()) / 2;
    return [
      { name: 'signature', ok: true, detail: 'accepted' },
      { name: 'session', ok: true, detail: `valid for ${client.session?.mid}` },
      {
        name: 'clock',
        ok: Math.abs(skew) <= ALLOWED_SKEW_MS,
        detail: `this machine is ${Math.abs(skew / 1000).toFixed(1)} s ${skew > 0 ? 'behind' : 'ahead of'} the server`,
        fix: 'Set the clock of this machine or of the server (NTP).',
      },
    ];
  } catch (error) {
    const detail = messageOf(error);
    if (error instanceof GatewayError && error.error === 'REQUEST_INVALID_HMAC') {
      const fix = 'Give --build-token (or SEALPOST_BUILD_TOKEN) one of the SEALPOST_BUILD_TOKENS of the server.';
      return [{ name: 'signature', ok: false, detail, fix }];
    }
    return [{ name: 'session', ok: false, detail, fix: 'Log in again with: sealpost login <userid>' }];
  }
}

async function checkStream(client: RpcClient): Promise<Check> {
  const name = 'operation stream';
  const done = new AbortController();
  const patience = systemPorts.timers.after(STREAM_WAIT_MS, () => done.abort(), { background: true });
  let check: Check = {
    name,
    ok: false,
    detail: `did not open within ${STREAM_WAIT_MS / 1000} s`,
    fix: 'A proxy in front of the server must not buffer or time out /api/operation/receive.',
  };
  const onState = ({ state, reason }: { state: string; reason?: string }) => {
    if (state === 'online') check = { name, ok: true, detail: 'opens' };
    else if (state === 'degraded') check = { ...check, detail: reason ?? state };
    if (state === 'online') done.abort();
  };
  for await (const _ of client.operations({ signal: done.signal, onState })) break;
  patience.cancel();
  return check;
}
