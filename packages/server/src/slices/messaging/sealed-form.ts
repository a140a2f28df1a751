// Checks of a sealed message that need no key: its layout, its version and the key ids in its header.
import { ApiError, contentTypes, type OutgoingMessage } from '@sealpost/contract';
import { OpenError, readSealedHeader, type SealedHeader } from '@sealpost/crypto';

const VERSIONS: readonly string[] = ['1', '2'];

export const isSealed = (message: OutgoingMessage): boolean => (message.chunks?.length ?? 0) > 0;

/** Throws if no receiver could open a sealed message, or if the message also carries plain content. */
export function requireSealedForm(message: OutgoingMessage): void {
  if (message.text) throw new ApiError('E2EE_INVALID_PROTOCOL', 'message.text beside chunks');
  if (message.location !== undefined) throw new ApiError('E2EE_INVALID_PROTOCOL', 'message.location beside chunks');
  const metadata = message.contentMetadata ?? {};
  const mark = metadata.e2eeVersion ?? '';
  if (!VERSIONS.includes(mark)) {
    throw new ApiError(
      'E2EE_INVALID_VERSION',
      `message.contentMetadata.e2eeVersion is ${mark.slice(0, 20) || 'missing'}`,
    );
  }
  const type = message.contentType ?? contentTypes.NONE;
  // After E2EE_RETRY_ENCRYPT, clients seal the message again and repeat the send. Clients recognize this error by the
  // text "types mismatch".
  if (String(headerOf(message).version) !== mark) throw new ApiError('E2EE_RETRY_ENCRYPT', 'types mismatch');
  if ((metadata.contentType ?? String(type)) !== String(type)) {
    throw new ApiError('E2EE_RETRY_ENCRYPT', 'types mismatch');
  }
}

/** Returns the header of a sealed message, which names the keys that it was sealed with. */
export function headerOf({ chunks = [] }: OutgoingMessage): SealedHeader {
  try {
    return readSealedHeader(chunks);
  } catch (error) {
    if (error instanceof OpenError) throw new ApiError('E2EE_INVALID_ARGUMENT', `message.chunks: ${error.message}`);
    throw error;
  }
}
