import type { ApiError, LimitClass } from '@sealpost/contract';
import type { Emission, HttpEndpoint } from '@sealpost/contract/schemas';
import type { Caller } from './call.ts';
import type { Exchange } from './exchange.ts';

/** One endpoint as the request pipeline sees it. */
export interface Endpoint {
  /** The endpoint's name in the contract. */
  readonly name: string;
  /** The endpoint's entry in the contract, which declares the operations that it may append. */
  readonly entry: { readonly emits?: readonly Emission[] };
  /** The HTTP methods that the endpoint accepts, each with its rate limit. */
  readonly verbs: Readonly<Record<string, LimitClass>>;
  /**
   * Largest size of the body in bytes. The whole body is read before the call is handled. Undefined if the handler
   * itself reads the body while it arrives.
   */
  readonly bodyBytes: number | undefined;
  /**
   * Checks the proofs that the endpoint requires. Returns the caller; undefined if the endpoint needs no login. Throws
   * if a proof is missing or wrong.
   */
  authenticate(exchange: Exchange, body: Buffer): Promise<Caller | undefined>;
  /** Returns the JSON of the complete answer; undefined if the handler has written the answer. */
  handle(exchange: Exchange, caller: Caller | undefined, body: Buffer): Promise<string | undefined>;
  /**
   * Returns the error to send to the caller: `error` itself or a replacement. Called for each error of the endpoint.
   */
  toldOf(error: ApiError): ApiError;
  /** The contract's entry, if the contract gives some errors their own HTTP status. */
  readonly declared: HttpEndpoint | undefined;
}
