// Finishes a folder in the layout of OCI images. It adds one index of the images for all processors, and the health
// check. Engines read the check there, but buildah leaves it out of this format.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly platform?: { readonly architecture: string; readonly os: string };
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

interface ImageConfig {
  readonly architecture: string;
  readonly os: string;
  readonly config: object;
}

interface HealthCheck {
  readonly command: readonly string[];
}

const INDEX = 'application/vnd.oci.image.index.v1+json';
const NAME = 'org.opencontainers.image.ref.name';
const SECOND = 1_000_000_000;

/**
 * Adds a health check to all images of a layout, and makes it one image with this name.
 * @param layout a folder with an image for each processor
 */
export function finishLayout(layout: string, name: string, check: HealthCheck): void {
  const file = join(layout, 'index.json');
  const { manifests } = JSON.parse(readFileSync(file, 'utf8')) as { manifests: readonly Descriptor[] };
  const images = manifests.map((one) => withHealthCheck(layout, one, check));
  const sorted = images.sort((a, b) => (a.platform.architecture < b.platform.architecture ? -1 : 1));
  const index = writeBlob(layout, { schemaVersion: 2, mediaType: INDEX, manifests: sorted });
  const named = { mediaType: INDEX, ...index, annotations: { [NAME]: name } };
  writeFileSync(file, JSON.stringify({ schemaVersion: 2, manifests: [named] }));
  removeUnused(layout, new Set([index.digest, ...sorted.flatMap((one) => namesIn(layout, one))]));
}

function withHealthCheck(layout: string, { mediaType, digest }: Descriptor, { command }: HealthCheck) {
  const manifest = readBlob<Manifest>(layout, digest);
  const config = readBlob<ImageConfig>(layout, manifest.config.digest);
  const { architecture, os } = config;
  const health = {
    Test: ['CMD', ...command],
    Interval: 30 * SECOND,
    Timeout: 10 * SECOND,
    StartPeriod: 30 * SECOND,
    Retries: 3,
  };
  const changed = { ...config, config: { ...config.config, Healthcheck: health } };
  const written = { ...manifest, config: { ...manifest.config, ...writeBlob(layout, changed) } };
  return { mediaType, ...writeBlob(layout, written), platform: { architecture, os } };
}

/** Returns the digests of a manifest and of all that it names. */
function namesIn(layout: string, { digest }: { readonly digest: string }): string[] {
  const { config, layers } = readBlob<Manifest>(layout, digest);
  return [digest, config.digest, ...layers.map((layer) => layer.digest)];
}

const blobs = (layout: string): string => join(layout, 'blobs/sha256');

const readBlob = <T>(layout: string, digest: string): T =>
  JSON.parse(readFileSync(join(blobs(layout), digest.slice('sha256:'.length)), 'utf8')) as T;

function writeBlob(layout: string, content: object): { digest: string; size: number } {
  const bytes = Buffer.from(JSON.stringify(content));
  const hash = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(join(blobs(layout), hash), bytes);
  return { digest: `sha256:${hash}`, size: bytes.length };
}

function removeUnused(layout: string, used: ReadonlySet<string>): void {
  for (const hash of readdirSync(blobs(layout))) if (!used.has(`sha256:${hash}`)) rmSync(join(blobs(layout), hash));
}
