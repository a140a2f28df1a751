// Faults of sessions that follow each other, and of clients and commands that share a stored login.
import type { Mutant } from '../scripts/mutants/mutant.ts';

const session = 'packages/sdk/src/gateway/session.ts';
const calls = 'packages/sdk/src/gateway/calls.ts';
const stream = 'packages/sdk/src/operations.ts';
const logins = 'packages/cli/src/logins.ts';
const lock = 'packages/cli/src/login-lock.ts';

/** Returns the mutant that this test of the SDK must notice. */
const inSdk = (pattern: string, name: string, file: string, find: string, replace: string): Mutant => ({
  ...{ name, file, find, replace, pattern },
  tests: ['packages/sdk/test/session-sharing.test.ts'],
});

/** Returns the mutant that this test of the commands must notice. */
const inCommands = (pattern: string, name: string, file: string, find: string, replace: string): Mutant => ({
  ...{ name, file, find, replace, pattern },
  tests: ['packages/cli/test/login-sharing.test.ts'],
});

export default [
  inSdk(
    'next login of the account alone',
    'a late refusal ends the next session',
    session,
    'if (this.#session?.tokens.accessToken === accessToken) await this.end(reason);',
    'if (accessToken) await this.end(reason);',
  ),
  inSdk(
    'in the name of another account',
    'a call of one account is repeated by another one',
    calls,
    'now?.loginSessionId !== signed?.loginSessionId ||',
    '',
  ),
  inSdk(
    'tokens were renewed meanwhile',
    'a late refusal after a renewal is final',
    calls,
    'if (isReplay || now?.',
    'if (isReplay || error.endsSession || now?.',
  ),
  inSdk(
    'goes on with the next login',
    'the end of a former session ends the stream',
    stream,
    '!(error.retry || error.needsRenewal || error.endsSession)',
    '!(error.retry || error.needsRenewal)',
  ),
  inSdk(
    'stream of an account when another one',
    'the stream of one account goes on with another one',
    stream,
    'if (!current || current.mid !== mid) {',
    'if (!current) {',
  ),
  inSdk(
    'at the same time',
    'clients renew a shared login side by side',
    session,
    'return this.#storage?.alone?.(change) ?? change();',
    'return change();',
  ),
  inSdk(
    'before each attempt',
    'a login is read once for all attempts to renew',
    session,
    'for (let attempt = 0; ; attempt++) {\n      try {\n        return await this.#alone(() => this.#renewOnce(session, scheduled));',
    'for (let attempt = 0; ; attempt++) {\n      try {\n        if (attempt > 0) await this.#refresh(tokens);\n        return await this.#alone(() => this.#renewOnce(session, scheduled));',
  ),
  inSdk(
    'old themselves',
    'stored tokens are used though they are old',
    session,
    'const save = next === session || dueOf(next.tokens) <= this.#ports.clock.now();',
    'const save = next === session;',
  ),
  inSdk(
    'when their own session ends',
    'the end of a session deletes the login of another process',
    session,
    '      if (stored && stored.tokens[field] !== ended.tokens[field]) return;\n',
    '',
  ),
  inSdk(
    'when they renew their own',
    'a renewal overwrites the login of another account',
    session,
    'if (save && (!stored || stored.tokens.loginSessionId === next.tokens.loginSessionId)) {',
    'if (save) {',
  ),
  inSdk(
    'delete at a logout',
    'a logout leaves what another process has renewed',
    session,
    "const field = reason ? 'accessToken' : 'loginSessionId';",
    "const field = reason ? 'accessToken' : 'accessToken';",
  ),
  inSdk(
    'change it only alone',
    'a login is stored beside a change of another process',
    session,
    'if (options.save) await this.#alone(async () => this.#storage?.save(session));',
    'if (options.save) await this.#storage?.save(session);',
  ),
  inSdk(
    'while an ended one is looked up',
    'the end of a session deletes the login that follows it',
    session,
    'if (!this.#session) await this.#storage?.save(undefined);',
    'await this.#storage?.save(undefined);',
  ),
  inCommands(
    'commands that run at the same time',
    'commands renew a login side by side',
    logins,
    '    alone: (change) => aloneWithLogin(name, change),\n',
    '',
  ),
  inCommands(
    'waited for longer',
    'a stopped command stops all others',
    lock,
    'if (!isBusy(error) || clock.monotonic() >= deadline) return undefined;',
    'if (!isBusy(error)) return undefined;',
  ),
  inCommands(
    'where there can be none',
    'a folder without locks is waited for',
    lock,
    'if (!isBusy(error) || clock.monotonic() >= deadline) return undefined;',
    'if (clock.monotonic() >= deadline) return undefined;',
  ),
  inCommands('free again', 'a failed change keeps the lock', lock, '    lock?.close();\n', '    void lock;\n'),
  inCommands(
    'on the disk',
    'a login is named before it is on the disk',
    logins,
    "if (durable) sync(fresh, 'r+');\n",
    '\n',
  ),
  inCommands(
    'on the disk',
    'the name of a login is not on the disk',
    logins,
    "  if (durable && process.platform !== 'win32') sync(dirname(path), 'r');\n",
    '',
  ),
  inCommands(
    'listening command',
    'a newer login of another command is not told',
    'packages/cli/src/connection.ts',
    'if (loadLogin(name)?.session) {',
    'if (loadLogin(name)?.session?.mid === name) {',
  ),
] satisfies readonly Mutant[];
