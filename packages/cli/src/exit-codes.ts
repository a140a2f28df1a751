export const exitCodes = { ok: 0, failure: 1, usage: 2, notLoggedIn: 3, unreachable: 4 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/**
 * Error for a failure that the command itself found. The message tells what failed, which value was found, and what to
 * do next.
 */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failure) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
