// The client under test: how it is started and stopped, and which values it gets at its start.

/** The values that a client gets at its start, as environment variables of these names. */
export interface ClientEnvironment {
  /** The address of the gateway, without a path. */
  readonly SEALPOST_URL: string;
  readonly SEALPOST_USERID: string;
  readonly SEALPOST_PASSWORD: string;
  /** The build token to sign with. */
  readonly SEALPOST_BUILD_TOKEN: string;
  /** The brand in header names: `X-<brand>-Access`. */
  readonly SEALPOST_BRAND: string;
  /** A folder that stays the same when a scenario starts the client again. */
  readonly SEALPOST_STATE_DIR: string;
}

export interface RunningClient {
  /**
   * Resolves when the client has ended by itself or was stopped. The value says how it ended, such as `exit code 1`.
   */
  readonly ended: Promise<string>;
  /** Stops the client, as when a user closes it. */
  stop(): Promise<void>;
  /**
   * Moves the time of the client forward, which makes grading faster. Without this function, the run waits in real
   * time.
   */
  pass?(ms: number): Promise<void>;
  /** Returns the last lines that the client wrote, for the report. */
  output?(): string;
}

/** A client of any kind: a program, or code of the same process. */
export interface ClientUnderTest {
  start(environment: ClientEnvironment): RunningClient | Promise<RunningClient>;
}
