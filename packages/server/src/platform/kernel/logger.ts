// Structured logs with one JSON line per event. They never contain message content, tokens or keys.
import { pino } from 'pino';

export type { Logger } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const createLogger = (level: LogLevel) =>
  pino({
    level,
    base: null,
    serializers: { error: pino.stdSerializers.err },
    redact: ['token', 'password', 'refreshToken', '*.token', '*.password', '*.refreshToken', '*.headers'],
  });
