// Endpoints of the admin API about the state of the server: its parts, its recent work, and its settings.
import Type, { type Static } from 'typebox';
import { adminEndpoint } from './admin-endpoint.ts';
import { Num, Time } from './admin-schemas.ts';

/** Milliseconds between two samples of the server's work, and the number of samples that are kept. */
export const statusSampling = { everyMs: 15_000, kept: 240 } as const;
/** The largest number of open reports that the status counts. If there are more, the status says 1000. */
export const mostOpenReports = 999;

export const StatusSample = Type.Object(
  {
    time: Time,
    streams: Num,
    sends: Type.Integer({ minimum: 0, description: 'messages sent since the sample before' }),
    calls: Type.Integer({ minimum: 0, description: 'calls answered since the sample before' }),
    freeBytes: Type.Integer({ minimum: 0, description: 'free bytes of the fullest disk' }),
  },
  { title: 'StatusSample' },
);
export type StatusSample = Static<typeof StatusSample>;

export const ServerStatus = Type.Object(
  {
    version: Type.String(),
    url: Type.String(),
    now: Time,
    startedTime: Time,
    parts: Type.Array(
      Type.Object({
        name: Type.String(),
        state: Type.String({ description: '"ok", or the reason why the part cannot work' }),
      }),
    ),
    streams: Num,
    openReports: Type.Integer({
      minimum: 0,
      description: `up to ${mostOpenReports} are counted; ${mostOpenReports + 1} means more`,
    }),
    disk: Type.Object(
      { freeBytes: Num, totalBytes: Num },
      { description: 'the fullest disk that the server writes to' },
    ),
    everyMs: Type.Integer({ minimum: 1, description: 'milliseconds between two samples' }),
    samples: Type.Array(StatusSample, { description: 'the last hour of this server, the oldest first' }),
  },
  { title: 'ServerStatus' },
);
export type ServerStatus = Static<typeof ServerStatus>;

/** A setting of the server with its value, and where the value came from. */
export const ServerSetting = Type.Object(
  {
    name: Type.String(),
    value: Type.String({ description: 'secrets are hidden, and so are user and password in addresses' }),
    origin: Type.String({ description: 'a flag, a variable, a file, or "default"' }),
    secret: Type.Boolean(),
    meaning: Type.String(),
  },
  { title: 'ServerSetting' },
);
export type ServerSetting = Static<typeof ServerSetting>;

export const statusEndpoints = {
  showStatus: adminEndpoint({
    summary: 'Shows how this server is, and its work of the last hour. With several servers, each tells of itself.',
    scope: 'read',
    verb: 'GET',
    path: '/status',
    result: ServerStatus,
    problems: {},
  }),
  listSettings: adminEndpoint({
    summary: 'Lists all settings with their values and where these came from. Secrets are hidden.',
    scope: 'read',
    verb: 'GET',
    path: '/settings',
    result: Type.Object({ settings: Type.Array(ServerSetting) }),
    problems: {},
  }),
} as const;

/** The endpoints about the server itself. */
export type StatusEndpoint = keyof typeof statusEndpoints;
