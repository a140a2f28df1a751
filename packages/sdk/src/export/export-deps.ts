// The data and functions that the parts of an export share: the sources of data, the counts, and the repetition of
// calls.
import type { AccountExport } from '@sealpost/contract';
import type { ClientPorts } from '../gateway/ports.ts';
import { Patience } from '../media/patience.ts';
import type { RpcClient } from '../rpc-client.ts';
import type { SealingClient } from '../sealing/sealing-client.ts';

/** The client that reads the account. A `Client` has both properties. */
export interface ExportSource {
  readonly rpc: RpcClient;
  /** Opens sealed messages and media with the keys of this device. */
  readonly sealing: SealingClient;
}

/** A file of the archive. Its content must be read to the end before the next file is requested. */
export interface ExportEntry {
  readonly path: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ExportProgress {
  readonly chats: { readonly done: number; readonly all: number };
  readonly messages: number;
  /** Number of messages that this device could not open. They stay sealed. */
  readonly sealedMessages: number;
  readonly media: number;
  readonly mediaBytes: number;
  /** Number of media that the archive does not have. Their messages say why. */
  readonly missingMedia: number;
}

export interface ExportOptions extends Partial<ClientPorts> {
  /** The language of the names of stickers; default `en_US`. */
  readonly locale?: string;
  /** Ends the export. The archive is then incomplete, and must not be used. */
  readonly signal?: AbortSignal;
  /** Called whenever something was added to the archive. */
  readonly onProgress?: (progress: ExportProgress) => void;
}

type Counts = { -readonly [N in keyof AccountExport['counts']]: AccountExport['counts'][N] };

/** The state of one export while it runs. */
export interface ExportRun extends ExportSource {
  readonly me: string;
  readonly ports: ClientPorts;
  readonly signal: AbortSignal;
  readonly counts: Counts;
  /** Reports the progress of the export to the caller. */
  report(): void;
}

/** Repeats a read after errors that may pass, for example because of a rate limit. */
export const patiently = <T>(
  { ports, signal }: Pick<ExportRun, 'ports' | 'signal'>,
  call: () => Promise<T>,
): Promise<T> => new Patience(ports, { signal }).until(call);

const encoder = new TextEncoder();

/** Returns a file that holds a text. */
export const textEntry = (path: string, text: string): ExportEntry => ({
  path,
  content: (async function* () {
    yield encoder.encode(text);
  })(),
});

/** Returns a file that holds a value as JSON. */
export const jsonEntry = (path: string, value: unknown): ExportEntry =>
  textEntry(path, `${JSON.stringify(value, null, 1)}\n`);
