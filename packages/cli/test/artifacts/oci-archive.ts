// Reads the archive of an image, and unpacks it to run it under runc.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Descriptor {
  readonly digest: string;
  readonly platform?: { readonly architecture: string; readonly os: string };
}

export interface Image {
  readonly architecture: string;
  /** The archives of its layers, from the base upwards. */
  readonly layers: readonly string[];
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly WorkingDir: string;
    readonly Volumes: object;
    readonly ExposedPorts: object;
    readonly Labels: Readonly<Record<string, string>>;
    readonly StopSignal: string;
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
}

/** Returns the images of an archive, which is unpacked into a new folder. */
export function imagesOf(archive: string, folder: string): Image[] {
  mkdirSync(folder);
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  const blob = ({ digest }: Descriptor): string => join(folder, 'blobs', digest.replace(':', '/'));
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
  const [index] = read(join(folder, 'index.json')).manifests as [Descriptor];
  return (read(blob(index)).manifests as Descriptor[]).map((one) => {
    const { config, layers } = read(blob(one)) as { config: Descriptor; layers: Descriptor[] };
    return { architecture: one.platform?.architecture ?? '', layers: layers.map(blob), ...read(blob(config)) } as Image;
  });
}

/** Unpacks paths of a layer, or all of it. */
export function unpack(layer: string, folder: string, ...paths: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzpf', layer, '--numeric-owner', '-C', folder, ...paths]);
}

export interface Bundle {
  /** The folder with the unpacked image. */
  readonly rootfs: string;
  /** The folder of the host that the container sees as its volume. */
  readonly volume: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Writes what runc must know to run an image as an engine does: with a read-only root, its volume and a `/tmp`, and
 * without any privileges. The network is that of the host.
 */
export function writeBundle({ config }: Image, folder: string, { rootfs, volume, env }: Bundle): void {
  mkdirSync(folder);
  execFileSync('runc', ['spec'], { cwd: folder });
  const file = join(folder, 'config.json');
  const spec = JSON.parse(readFileSync(file, 'utf8'));
  const [uid, gid] = config.User.split(':').map(Number);
  const [place = ''] = Object.keys(config.Volumes);
  const none = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] };
  const own = {
    ...spec,
    process: {
      ...spec.process,
      terminal: false,
      user: { uid, gid },
      args: [...config.Entrypoint, ...config.Cmd],
      env: [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: config.WorkingDir,
      capabilities: none,
      noNewPrivileges: true,
    },
    root: { path: rootfs, readonly: true },
    mounts: [
      ...spec.mounts,
      { destination: place, type: 'bind', source: volume, options: ['bind', 'rw'] },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
    ],
    linux: {
      ...spec.linux,
      namespaces: spec.linux.namespaces.filter(({ type }: { readonly type: string }) => type !== 'network'),
    },
  };
  writeFileSync(file, JSON.stringify(own));
}
