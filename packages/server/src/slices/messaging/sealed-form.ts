// What can be said of a sealed message without opening it: its layout, its version and the keys that it names.
import { ApiError, contentTypes, type OutgoingMessage } from '@sealpost/contract';
import { OpenError, readSealedHeader, type SealedHeader } from '@sealpost/crypto';

const VERSIONS: readonly string[] = ['1', '2'];

export const isSealed = (message: OutgoingMessage): boolean => (message.chunks?.length ?? 0) > 0;

/** Refuses what no receiver could open, and what has content in the clear beside the sealed one. */
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
  // Clients seal anew on these two; the reason is the text that they know.
  if (String(headerOf(message).version) !== mark) throw new ApiError('E2EE_RETRY_ENCRYPT', 'types mismatch');
  if ((metadata.contentType ?? String(type)) !== String(type)) {
    throw new ApiError('E2EE_RETRY_ENCRYPT', 'types mismatch');
  }
}

/** The keys that a sealed message names. */
export function headerOf({ chunks = [] }: OutgoingMessage): SealedHeader {
  try {
    return readSealedHeader(chunks);
  } catch (error) {
    if (error instanceof OpenError) throw new ApiError('E2EE_INVALID_ARGUMENT', `message.chunks: ${error.message}`);
    throw error;
  }
}
