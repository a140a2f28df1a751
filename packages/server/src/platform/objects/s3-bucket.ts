// The requests to one S3 bucket, under one prefix. A failure is one of two: what was asked for is not there, or the
// store is unavailable. Each request is repeated a few times first, which none of them minds.
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
  /** Before every name: empty, or ending in a slash. */
  readonly prefix: string;
  /** Of a server that is not the one of the region. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Found as the SDK finds them if absent: environment, shared files, the role of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** `host/bucket/name` instead of `bucket.host/name`. */
  readonly pathStyle: boolean;
  /** Seconds that the address of a direct download is good for; 0 for none. */
  readonly linkSeconds: number;
  /** The endpoint as clients reach it, if another one. */
  readonly linkEndpoint: string | undefined;
}

/** How long a request is waited for. */
export interface Patience {
  readonly connectMs: number;
  /** Until the answer begins. */
  readonly answerMs: number;
  /** Between two pieces of an answer. */
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

export type Bucket = ReturnType<typeof openBucket>;

const GONE = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);
const TYPE = 'application/octet-stream';

export function openBucket(settings: S3Settings, patience: Patience) {
  const { bucket: Bucket, prefix } = settings;
  const client = clientFor(settings, settings.endpoint, patience);
  const linkClient = settings.linkEndpoint ? clientFor(settings, settings.linkEndpoint, patience) : client;
  const at = (name: string) => ({ Bucket, Key: prefix + name });
  const nameOf = (key: string | undefined): string => (key ?? '').slice(prefix.length);
  const timeOf = (date: Date | undefined): number => date?.getTime() ?? 0;

  /** @throws ObjectMissing, StoreUnavailable */
  async function tell<T>(what: string, answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (cause) {
      const { name, message } = cause as Error;
      if (GONE.has(name)) throw new ObjectMissing(`${what}: ${name}`, { cause });
      throw new StoreUnavailable(`${what} in bucket ${Bucket} failed: ${name}: ${message}`, { cause });
    }
  }

  async function get(name: string, range: ByteRange | undefined): Promise<Found> {
    const command = new GetObjectCommand({ ...at(name), ...(range && { Range: `bytes=${range.start}-${range.end}` }) });
    const { Body, ContentLength = 0, Metadata = {} } = await tell(`GetObject ${name}`, client.send(command));
    return { body: Body as Readable, size: ContentLength, metadata: Metadata };
  }

  return {
    put: async (name: string, bytes: Buffer, metadata: Metadata = {}): Promise<void> => {
      const command = new PutObjectCommand({ ...at(name), Body: bytes, ContentType: TYPE, Metadata: { ...metadata } });
      await tell(`PutObject ${name}`, client.send(command));
    },

    /** The bytes go on where their connection breaks. */
    get: async (name: string, range?: ByteRange): Promise<Found> => {
      const found = await get(name, range);
      const start = range?.start ?? 0;
      const from = (position: number) => get(name, { start: start + position, end: start + found.size - 1 });
      return { ...found, body: resumingRead(found.body, found.size, async (position) => (await from(position)).body) };
    },

    /** Its size; undefined if it is not there. */
    head: async (name: string): Promise<{ size: number; metadata: Metadata } | undefined> => {
      try {
        const found = await tell(`HeadObject ${name}`, client.send(new HeadObjectCommand(at(name))));
        return { size: found.ContentLength ?? 0, metadata: found.Metadata ?? {} };
      } catch (error) {
        if (error instanceof ObjectMissing) return undefined;
        throw error;
      }
    },

    remove: async (name: string): Promise<void> => {
      await tell(`DeleteObject ${name}`, client.send(new DeleteObjectCommand(at(name))));
    },

    /** In the order of names, those after one. */
    async *list(under: string, after = under): AsyncGenerator<Listed> {
      for (let from = prefix + after; ; ) {
        const command = new ListObjectsV2Command({ Bucket, Prefix: prefix + under, StartAfter: from });
        const { Contents = [], IsTruncated } = await tell(`ListObjectsV2 ${under}`, client.send(command));
        for (const { Key, Size = 0, LastModified } of Contents) {
          yield { name: nameOf(Key), size: Size, changedTime: timeOf(LastModified) };
        }
        const last = Contents.at(-1)?.Key;
        if (!IsTruncated || last === undefined) return;
        from = last;
      }
    },

    beginUpload: async (name: string): Promise<string> => {
      const command = new CreateMultipartUploadCommand({ ...at(name), ContentType: TYPE });
      const { UploadId } = await tell(`CreateMultipartUpload ${name}`, client.send(command));
      if (!UploadId) throw new StoreUnavailable(`CreateMultipartUpload ${name} answered without an UploadId`);
      return UploadId;
    },

    putPart: async (name: string, UploadId: string, PartNumber: number, Body: Buffer): Promise<void> => {
      const command = new UploadPartCommand({ ...at(name), UploadId, PartNumber, Body });
      await tell(`UploadPart ${PartNumber} of ${name}`, client.send(command));
    },

    parts: async (name: string, UploadId: string): Promise<Part[]> => {
      const parts: Part[] = [];
      for (let PartNumberMarker: string | undefined; ; ) {
        const command = new ListPartsCommand({ ...at(name), UploadId, ...(PartNumberMarker && { PartNumberMarker }) });
        const page = await tell(`ListParts ${name}`, client.send(command));
        for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? []) {
          parts.push({ number: PartNumber, etag: ETag, size: Size });
        }
        if (!page.IsTruncated || !page.NextPartNumberMarker) return parts;
        PartNumberMarker = page.NextPartNumberMarker;
      }
    },

    completeUpload: async (name: string, UploadId: string, parts: readonly Part[]): Promise<void> => {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      const command = new CompleteMultipartUploadCommand({ ...at(name), UploadId, MultipartUpload: { Parts } });
      await tell(`CompleteMultipartUpload ${name}`, client.send(command));
    },

    /** Without complaint if it is gone. */
    abortUpload: async (name: string, UploadId: string): Promise<void> => {
      const command = new AbortMultipartUploadCommand({ ...at(name), UploadId });
      await tell(`AbortMultipartUpload ${name}`, client.send(command)).catch((error: unknown) => {
        if (!(error instanceof ObjectMissing)) throw error;
      });
    },

    /** Without the bytes passing through here. @throws ObjectMissing */
    copy: async (from: string, to: string): Promise<void> => {
      const CopySource = encodeURI(`${Bucket}/${prefix}${from}`);
      const command = new CopyObjectCommand({ ...at(to), CopySource });
      await tell(`CopyObject ${from}`, client.send(command));
    },

    copyPart: async (from: string, name: string, UploadId: string, PartNumber: number, range: ByteRange) => {
      const command = new UploadPartCopyCommand({
        ...{ ...at(name), UploadId, PartNumber },
        CopySource: encodeURI(`${Bucket}/${prefix}${from}`),
        CopySourceRange: `bytes=${range.start}-${range.end}`,
      });
      await tell(`UploadPartCopy ${PartNumber} of ${name}`, client.send(command));
    },

    /** In the order of names, those after one; '' for all. */
    async *uploads(under: string, after = under): AsyncGenerator<Upload> {
      for (
        let marker: { KeyMarker?: string; UploadIdMarker?: string } = after ? { KeyMarker: prefix + after } : {};
        ;
      ) {
        const command = new ListMultipartUploadsCommand({ Bucket, Prefix: prefix + under, ...marker });
        const page = await tell(`ListMultipartUploads ${under}`, client.send(command));
        for (const { Key, UploadId = '', Initiated } of page.Uploads ?? []) {
          yield { name: nameOf(Key), id: UploadId, startedTime: timeOf(Initiated) };
        }
        if (!page.IsTruncated || !page.NextKeyMarker) return;
        marker = {
          KeyMarker: page.NextKeyMarker,
          ...(page.NextUploadIdMarker && { UploadIdMarker: page.NextUploadIdMarker }),
        };
      }
    },

    link: (name: string, { type, disposition, cacheControl }: LinkHeaders): Promise<string> => {
      const command = new GetObjectCommand({
        ...at(name),
        ResponseContentType: type,
        ResponseContentDisposition: disposition,
        ResponseCacheControl: cacheControl,
      });
      return tell(`the address of ${name}`, getSignedUrl(linkClient, command, { expiresIn: settings.linkSeconds }));
    },

    close(): void {
      client.destroy();
      linkClient.destroy();
    },
  };
}

function clientFor(settings: S3Settings, endpoint: string | undefined, patience: Patience): S3Client {
  return new S3Client({
    region: settings.region,
    forcePathStyle: settings.pathStyle,
    ...(endpoint !== undefined && { endpoint }),
    ...(settings.credentials && { credentials: settings.credentials }),
    maxAttempts: patience.attempts,
    // Signatures cover the bytes anyway, and not every server knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: patience.connectMs,
      requestTimeout: patience.answerMs,
      throwOnRequestTimeout: true,
      socketTimeout: patience.idleMs,
      // Every download that is under way holds a connection.
      httpAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
      httpsAgent: { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY },
    },
  });
}
