// The requests to one S3 bucket, for names under one prefix. A failed request is repeated a few times, which is safe
// for every request in this module. If the last attempt fails, the error is ObjectMissing or StoreUnavailable.
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { StoreUnavailable } from '../store/store.ts';
import { type ByteRange, type LinkHeaders, ObjectMissing } from './objects.ts';
import { resumingRead } from './resuming-read.ts';

export interface S3Settings {
  readonly bucket: string;
  /** The text in front of every name; empty, or ending in a slash. */
  readonly prefix: string;
  /** The address of the S3 server; undefined for the server of the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /**
   * The credentials. If undefined, the AWS SDK finds them: in the environment, in shared files, or by the role of the
   * machine.
   */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** True if addresses have the form `host/bucket/name`, false if they have the form `bucket.host/name`. */
  readonly pathStyle: boolean;
  /** Seconds for which the address of a direct download is valid; 0 if downloads pass through this server. */
  readonly linkSeconds: number;
  /** The endpoint at which clients reach the store; undefined if this server uses the same one. */
  readonly linkEndpoint: string | undefined;
  /** How messages name what the operator gave; if it is absent, it was the setting objects-url. */
  readonly given?: { readonly name: string; readonly note?: string };
}

/** Limits of a request to S3. The times are in milliseconds. */
export interface Patience {
  readonly connectMs: number;
  /** Longest wait for the beginning of the answer. */
  readonly answerMs: number;
  /** Longest wait between two pieces of an answer. */
  readonly idleMs: number;
  readonly attempts: number;
}

export const usualPatience: Patience = { connectMs: 5_000, answerMs: 30_000, idleMs: 60_000, attempts: 4 };

export type Metadata = Readonly<Record<string, string>>;

export interface Listed {
  readonly name: string;
  readonly size: number;
  /** Epoch milliseconds. */
  readonly changedTime: number;
}

export interface Part {
  readonly number: number;
  readonly etag: string;
  readonly size: number;
}

export interface Upload {
  readonly name: string;
  readonly id: string;
  /** Epoch milliseconds. */
  readonly startedTime: number;
}

export interface Found {
  readonly body: Readable;
  readonly size: number;
  readonly metadata: Metadata;
}

const GONE = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);
const TYPE = 'application/octet-stream';

/** One bucket, under one prefix. */
export class Bucket {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #linkSeconds: number;
  readonly #client: S3Client;
  /** The client that signs the addresses of direct downloads. */
  readonly #linkClient: S3Client;

  constructor(settings: S3Settings, patience: Patience) {
    this.#bucket = settings.bucket;
    this.#prefix = settings.prefix;
    this.#linkSeconds = settings.linkSeconds;
    this.#client = clientFor(settings, settings.endpoint, patience);
    this.#linkClient = settings.linkEndpoint ? clientFor(settings, settings.linkEndpoint, patience) : this.#client;
  }

  async put(name: string, bytes: Buffer, metadata: Metadata = {}): Promise<void> {
    const command = new PutObjectCommand({
      ...this.#at(name),
      Body: bytes,
      ContentType: TYPE,
      Metadata: { ...metadata },
    });
    await this.#tell(`PutObject ${name}`, this.#client.send(command));
  }

  /**
   * Returns the bytes of an object. If the connection breaks, a new one continues at the same position.
   * @throws ObjectMissing
   */
  async get(name: string, range?: ByteRange): Promise<Found> {
    const found = await this.#get(name, range);
    const start = range?.start ?? 0;
    const from = (position: number) => this.#get(name, { start: start + position, end: start + found.size - 1 });
    return { ...found, body: resumingRead(found.body, found.size, async (position) => (await from(position)).body) };
  }

  /** Returns the size of an object; undefined if the object does not exist. */
  async head(name: string): Promise<{ size: number; metadata: Metadata } | undefined> {
    try {
      const found = await this.#tell(`HeadObject ${name}`, this.#client.send(new HeadObjectCommand(this.#at(name))));
      return { size: found.ContentLength ?? 0, metadata: found.Metadata ?? {} };
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#tell(`DeleteObject ${name}`, this.#client.send(new DeleteObjectCommand(this.#at(name))));
  }

  /** Lists the objects whose names begin with `under` and come after `after`, in the order of names. */
  async *list(under: string, after = under): AsyncGenerator<Listed> {
    for (let from = this.#prefix + after; ; ) {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: this.#prefix + under,
        StartAfter: from,
      });
      const { Contents = [], IsTruncated } = await this.#tell(`ListObjectsV2 ${under}`, this.#client.send(command));
      for (const { Key, Size = 0, LastModified } of Contents) {
        yield { name: this.#nameOf(Key), size: Size, changedTime: timeOf(LastModified) };
      }
      const last = Contents.at(-1)?.Key;
      if (!IsTruncated || last === undefined) return;
      from = last;
    }
  }

  async beginUpload(name: string): Promise<string> {
    const command = new CreateMultipartUploadCommand({ ...this.#at(name), ContentType: TYPE });
    const { UploadId } = await this.#tell(`CreateMultipartUpload ${name}`, this.#client.send(command));
    if (!UploadId) throw new StoreUnavailable(`CreateMultipartUpload ${name} answered without an UploadId`);
    return UploadId;
  }

  async putPart(name: string, UploadId: string, PartNumber: number, Body: Buffer): Promise<void> {
    const command = new UploadPartCommand({ ...this.#at(name), UploadId, PartNumber, Body });
    await this.#tell(`UploadPart ${PartNumber} of ${name}`, this.#client.send(command));
  }

  async parts(name: string, UploadId: string): Promise<Part[]> {
    const parts: Part[] = [];
    for (let PartNumberMarker: string | undefined; ; ) {
      const command = new ListPartsCommand({
        ...this.#at(name),
        UploadId,
        ...(PartNumberMarker && { PartNumberMarker }),
      });
      const page = await this.#tell(`ListParts ${name}`, this.#client.send(command));
      for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? []) {
        parts.push({ number: PartNumber, etag: ETag, size: Size });
      }
      if (!page.IsTruncated || !page.NextPartNumberMarker) return parts;
      PartNumberMarker = page.NextPartNumberMarker;
    }
  }

  async completeUpload(name: string, UploadId: string, parts: readonly Part[]): Promise<void> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    const command = new CompleteMultipartUploadCommand({ ...this.#at(name), UploadId, MultipartUpload: { Parts } });
    await this.#tell(`CompleteMultipartUpload ${name}`, this.#client.send(command));
  }

  /** Ends an upload; does nothing if the upload does not exist any more. */
  async abortUpload(name: string, UploadId: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ ...this.#at(name), UploadId });
    await this.#tell(`AbortMultipartUpload ${name}`, this.#client.send(command)).catch((error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error;
    });
  }

  /**
   * Copies an object inside the store, so that the bytes do not pass through this server.
   * @throws ObjectMissing
   */
  async copy(from: string, to: string): Promise<void> {
    const CopySource = encodeURI(`${this.#bucket}/${this.#prefix}${from}`);
    const command = new CopyObjectCommand({ ...this.#at(to), CopySource });
    await this.#tell(`CopyObject ${from}`, this.#client.send(command));
  }

  async copyPart(from: string, name: string, UploadId: string, PartNumber: number, range: ByteRange): Promise<void> {
    const command = new UploadPartCopyCommand({
      ...{ ...this.#at(name), UploadId, PartNumber },
      CopySource: encodeURI(`${this.#bucket}/${this.#prefix}${from}`),
      CopySourceRange: `bytes=${range.start}-${range.end}`,
    });
    await this.#tell(`UploadPartCopy ${PartNumber} of ${name}`, this.#client.send(command));
  }

  /** Lists the uploads whose names begin with `under` and come after `after`, in the order of names. */
  async *uploads(under: string, after = under): AsyncGenerator<Upload> {
    for (
      let marker: { KeyMarker?: string; UploadIdMarker?: string } = after ? { KeyMarker: this.#prefix + after } : {};
      ;
    ) {
      const command = new ListMultipartUploadsCommand({
        Bucket: this.#bucket,
        Prefix: this.#prefix + under,
        ...marker,
      });
      const page = await this.#tell(`ListMultipartUploads ${under}`, this.#client.send(command));
      for (const { Key, UploadId = '', Initiated } of page.Uploads ?? []) {
        yield { name: this.#nameOf(Key), id: UploadId, startedTime: timeOf(Initiated) };
      }
      if (!page.IsTruncated || !page.NextKeyMarker) return;
      marker = {
        KeyMarker: page.NextKeyMarker,
        ...(page.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
      };
    }
  }

  link(name: string, { type, disposition, cacheControl }: LinkHeaders): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#at(name),
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: cacheControl,
    });
    return this.#tell(
      `the address of ${name}`,
      getSignedUrl(this.#linkClient, command, { expiresIn: this.#linkSeconds }),
    );
  }

  close(): void {
    this.#client.destroy();
    this.#linkClient.destroy();
  }

  #at(name: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + name };
  }

  #nameOf(key: string | undefined): string {
    return (key ?? '').slice(this.#prefix.length);
  }

  async #get(name: string, range: ByteRange | undefined): Promise<Found> {
    const command = new GetObjectCommand({
      ...this.#at(name),
      ...(range && { Range: `bytes=${range.start}-${range.end}` }),
    });
    const {
      Body,
      ContentLength = 0,
      Metadata = {},
    } = await this.#tell(`GetObject ${name}`, this.#client.send(command));
    return { body: Body as Readable, size: ContentLength, metadata: Metadata };
  }

  /**
   * Waits for an answer of S3.
   * @throws ObjectMissing if the object or upload does not exist; StoreUnavailable for any other failure
   */
  async #tell<T>(what: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (cause) {
      const { name, message } = cause as Error;
      if (GONE.has(name)) throw new ObjectMissing(`${what}: ${name}`, { cause });
      throw new StoreUnavailable(`${what} in bucket ${this.#bucket} failed: ${name}: ${message}`, { cause });
    }
  }
}

const timeOf = (date: Date | undefined): number => date?.getTime() ?? 0;

function clientFor(settings: S3Settings, endpoint: string | undefined, patience: Patience): S3Client {
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(settings.credentials && { credentials: settings.credentials }),
    maxAttempts: patience.attempts,
    // Checksums are used only where S3 requires them. Signatures already cover the bytes, and not every server supports
    // checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: patience.idleMs,
      // Every running download holds a connection, so the number of connections is not limited.
      httpAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
    },
  });
}
