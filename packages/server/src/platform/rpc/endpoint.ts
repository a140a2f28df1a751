import type { ApiError, LimitClass } from '@sealpost/contract';
import type { Emission, HttpEndpoint } from '@sealpost/contract/schemas';
import type { Caller } from './call.ts';
import type { Exchange } from './exchange.ts';

/** What is served at a path, as the pipeline sees it. */
export interface Endpoint {
  /** Its name in the contract. */
  readonly name: string;
  /** Its entry there, with the operations that it may append. */
  readonly entry: { readonly emits?: readonly Emission[] };
  /** The verbs that it takes, each with its rate limit. */
  readonly verbs: Readonly<Record<string, LimitClass>>;
  /** The largest body that is read before anything else; undefined where the handler takes it piece by piece. */
  readonly bodyBytes: number | undefined;
  /** Finds who calls, or refuses. */
  authenticate(exchange: Exchange, body: Buffer): Promise<Caller | undefined>;
  /** Answers the JSON of the whole answer, or undefined when the answer is written already. */
  handle(exchange: Exchange, caller: Caller | undefined, body: Buffer): Promise<string | undefined>;
  /** Sees each error before the caller does, and may replace it. */
  toldOf(error: ApiError): ApiError;
  /** Where the contract gives some errors a status of their own. */
  readonly declared: HttpEndpoint | undefined;
}
