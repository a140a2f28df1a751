import { ApiError } from '@sealpost/contract';

/** Error for a path that exists but does not accept the HTTP method. The header `Allow` names the accepted methods. */
export class WrongVerb extends ApiError {
  readonly allowed: string;
  constructor(verb: string | undefined, verbs: readonly string[]) {
    super('METHOD_NOT_ALLOWED', `${verb} is not ${verbs.join(' or ')}`);
    // Every path also answers OPTIONS, which browsers send before requests to other origins.
    this.allowed = [...verbs, 'OPTIONS'].join(', ');
  }
}
