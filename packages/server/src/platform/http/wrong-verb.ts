import { ApiError } from '@sealpost/contract';

/** The path exists, with other verbs; the answer names them in `Allow`. */
export class WrongVerb extends ApiError {
  readonly allowed: string;
  constructor(verb: string | undefined, verbs: readonly string[]) {
    super('METHOD_NOT_ALLOWED', `${verb} is not ${verbs.join(' or ')}`);
    // Every path answers browsers that ask before they send.
    this.allowed = [...verbs, 'OPTIONS'].join(', ');
  }
}
