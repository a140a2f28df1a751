export { type Client, type ClientOptions, createClient } from './client.ts';
export { GatewayError, NetworkError } from './errors.ts';
export type { Credential } from './login.ts';
export type { ConnectionState, OperationsOptions, StateChange, StreamEvent } from './operations.ts';
export type { Clock, Random, Timers } from './ports.ts';
export type { Session, SessionEvent, SessionStorage } from './session.ts';
