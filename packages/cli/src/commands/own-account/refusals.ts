import { GatewayError } from '@sealpost/sdk';
import { CliError } from '../../exit-codes.ts';

/**
 * Waits for a change of the user's own account. If the server refuses it, throws an error that explains the reason in
 * plain words.
 */
export async function refusalInWords<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const words = wordsOf(error);
    if (words === undefined) throw error;
    throw new CliError(words);
  }
}

function wordsOf({ error, reason, retryAfterMs = 0 }: GatewayError): string | undefined {
  const seconds = Math.ceil(retryAfterMs / 1000);
  switch (error) {
    case 'INVALID_IDENTITY_CREDENTIAL':
      return 'Nothing was changed: the password is wrong.';
    case 'EXCESSIVE_ACCESS':
      return `Nothing was changed: there were too many attempts. Try again in ${seconds} seconds.`;
    case 'ILLEGAL_ARGUMENT':
    case 'INVALID_STATE':
    case 'FEATURE_RESTRICTED':
      return `Nothing was changed: ${reason.replace(/^request\./, '')}.`;
    default:
      return undefined;
  }
}
