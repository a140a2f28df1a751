// Opens an account on a server, with the code of an invite, or by solving a challenge if anybody may register. Needs no
// login. The calls are written here without the schemas of the contract, which are large.
import type {
  Challenge,
  CheckedUserid,
  Registered,
  RegistrationArgs,
  RegistrationEndpointName,
  RegistrationOffer,
  RegistrationResult,
  SeenInvite,
  SolvedChallenge,
} from '@sealpost/contract';
import { joinPath, registrationPaths, registrationRoot } from '@sealpost/contract/registration-names';
import { loaded } from '../deferred.ts';
import { NetworkError } from '../gateway/errors.ts';
import type { ClientPorts } from '../gateway/ports.ts';
import { RegistrationError } from './registration-error.ts';
import type { SolveOptions } from './solve-challenge.ts';

export interface RegistrationOptions extends Pick<ClientPorts, 'fetch'> {
  /** The address of the server. */
  readonly url: string;
}

/** The data of a new account. Needs `code`, or on an open server `solved`. */
export interface Newcomer {
  readonly userid: string;
  readonly password: string;
  readonly displayName: string;
  /** The code of an invite. */
  readonly code?: string;
  /** A challenge and its solution, from `solvedChallenge`. */
  readonly solved?: SolvedChallenge;
}

/**
 * Calls of the registration API. A call that the server refuses throws `RegistrationError`. A call without an answer
 * throws `NetworkError`.
 */
export class Registration {
  readonly #url: string;
  readonly #fetch: ClientPorts['fetch'];

  constructor({ url, fetch }: RegistrationOptions) {
    this.#url = url.replace(/\/+$/, '');
    this.#fetch = fetch;
  }

  /** Reads who may register, and the rules for names and passwords. */
  offer(): Promise<RegistrationOffer> {
    return this.#call('showRegistration');
  }

  /** Reads an invite. If the invite cannot be used any more, `state` gives the reason. */
  invite(code: string): Promise<SeenInvite> {
    return this.#call('lookAtInvite', { code });
  }

  /**
   * Reads whether a new account can have a user id.
   * @param code the code of a usable invite; an open server does not need it
   */
  checkUserid(userid: string, code?: string): Promise<CheckedUserid> {
    return this.#call('checkUserid', { userid, ...(code !== undefined && { code }) });
  }

  /** Asks for a challenge. On an open server, each new account needs a solved challenge. */
  challenge(): Promise<Challenge> {
    return this.#call('getChallenge');
  }

  /** Asks for a challenge and solves it, which takes one or a few seconds of processor time. */
  async solvedChallenge(options: SolveOptions = {}): Promise<SolvedChallenge> {
    const { solveChallenge } = await loaded(import('./solve-challenge.ts'));
    const challenge = await this.challenge();
    return { challenge, solution: await solveChallenge(challenge, options) };
  }

  /** Opens an account. Then log in with the user id and the password. */
  register(newcomer: Newcomer): Promise<Registered> {
    return this.#call('register', newcomer);
  }

  async #call<N extends RegistrationEndpointName>(
    name: N,
    ...[args]: unknown extends RegistrationArgs<N> ? [] : [args: RegistrationArgs<N>]
  ): Promise<RegistrationResult<N>> {
    const [method, path] = registrationPaths[name];
    const response = await this.#send(name, registrationRoot + path, {
      method,
      ...(args !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(args) }),
    });
    const { status, text } = response;
    if (status >= 300) throw new RegistrationError(name, response);
    const result: RegistrationResult<N> = JSON.parse(text);
    return result;
  }

  async #send(name: string, path: string, init: RequestInit) {
    try {
      const response = await this.#fetch(this.#url + path, { ...init, redirect: 'manual' });
      const { status, headers } = response;
      return { status, text: await response.text(), retryAfter: headers.get('retry-after') };
    } catch (cause) {
      throw new NetworkError(name, this.#url, cause);
    }
  }
}

export interface InviteLink {
  readonly code: string;
  /** The address of the server; undefined if the text is only a code. */
  readonly url: string | undefined;
}

/** Returns the code in a text, and the server's address if the text is a whole link of an invite. */
export function readInvite(text: string): InviteLink {
  const mark = text.indexOf('#');
  if (mark < 0) return { code: text.trim(), url: undefined };
  const link = text.slice(0, mark).trim();
  return {
    code: text.slice(mark + 1).trim(),
    url: link.endsWith(joinPath) ? link.slice(0, -joinPath.length) : undefined,
  };
}
