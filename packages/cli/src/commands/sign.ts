import { brandHeader, clientVersion, plainHeaders } from '@sealpost/contract';
import { signRequest } from '@sealpost/crypto';
import type { Command } from 'commander';
import { type ConnectionOptions, clientSettings, loginName, withConnectionOptions } from '../connection.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { loadLogin } from '../logins.ts';
import { createOutput } from '../output.ts';
import { readAll } from '../password.ts';

interface SignOptions extends ConnectionOptions {
  readonly accessToken?: string;
  readonly clientVersion: string;
}

export function addSignCommand(program: Command): void {
  withConnectionOptions(program.command('sign'))
    .description('print the signature of a request (X-Hmac)')
    .argument('<path>', 'path with query, exactly as it will be sent')
    .argument('[body]', 'the raw body; - reads it from standard input', '')
    .option('--access-token <token>', "the access token; without it, the login's; '' for a call before login")
    .option('--client-version <version>', 'value of the client-version header', clientVersion)
    .addHelpText('after', '\nThe derivation is in docs/signature.md.')
    .action(sign);
}

async function sign(path: string, body: string, options: SignOptions): Promise<void> {
  if (!path.startsWith('/')) {
    throw new CliError(
      `"${path}" is not a path: give what the request line contains, beginning with /.`,
      exitCodes.usage,
    );
  }
  const name = loginName(options);
  const saved = name === undefined ? undefined : loadLogin(name);
  const { buildToken = 'sealpost-dev', brand = 'Svc' } = clientSettings(options, saved);
  const accessToken = options.accessToken ?? saved?.session?.tokens.accessToken ?? '';
  const version = options.clientVersion;
  const content = body === '-' ? await readAll() : body;
  const signature = await signRequest({ buildToken, version, accessToken, path, body: content });
  const headers = {
    [brandHeader(brand, 'clientVersion')]: version,
    ...(accessToken === '' ? {} : { [brandHeader(brand, 'access')]: accessToken }),
    [plainHeaders.hmac.name]: signature,
  };
  createOutput(options).print(signature, { signature, headers });
}
