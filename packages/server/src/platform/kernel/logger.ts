// Structured logs with one JSON line per event. They never contain message content, tokens or keys.
import type { Timers } from '@sealpost/contract/ports';
import { pino } from 'pino';
import { type LogOutput, openLogOutput } from './log-output.ts';

export type { Logger } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const STANDARD_OUTPUT = 1;
let output: LogOutput | undefined;
/** Returns the output of this process, which all its loggers share, so that their lines keep their order. */
function standardOutput(timers: Pick<Timers, 'after'>): LogOutput {
  output ??= openLogOutput(STANDARD_OUTPUT, timers);
  return output;
}

/** Creates a logger that writes to standard output. */
export const createLogger = (level: LogLevel, timers: Pick<Timers, 'after'>) =>
  pino(
    {
      level,
      base: null,
      serializers: { error: pino.stdSerializers.err },
      redact: ['token', 'password', 'refreshToken', '*.token', '*.password', '*.refreshToken', '*.headers'],
    },
    standardOutput(timers),
  );
