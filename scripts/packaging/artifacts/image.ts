// Makes the image for containers with buildah, without a daemon. It has one layer over its base.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './architecture.ts';
import { CONTAINER_USER, writeBase } from './base-image.ts';
import { finishLayout } from './image-layout.ts';
import { LIBRARY, type Source, writeLauncher } from './layout.ts';
import { linkFolder, type SourceTime, setModes, tarFlags } from './reproducible.ts';

/** The program that tells whether the server of a container is ready. */
export const HEALTH_CHECK = [`/usr/${LIBRARY}/runtime/node`, `/usr/${LIBRARY}/healthy.mjs`];
/** The folder of the server's data in a container, which is a volume. */
export const IMAGE_DATA = '/var/lib/sealpost';
const SETTINGS_FOLDER = '/etc/sealpost';
export const IMAGE_PORT = 8787;
const USER = `${CONTAINER_USER}:${CONTAINER_USER}`;

/** The variables of the server in a container. The root may be read-only, and then only the data and `/tmp` are not. */
const ENVIRONMENT = {
  PATH: '/usr/bin:/bin',
  HOME: '/tmp',
  XDG_CACHE_HOME: '/tmp',
  SEALPOST_HOST: '0.0.0.0',
  SEALPOST_DATA_DIR: IMAGE_DATA,
};

/** An image under construction: for one or several processors. */
export interface ImageBuild {
  /** Adds the image for one processor, from the files below a prefix. */
  add(architecture: Architecture, prefix: string): void;
  /** Writes the archive with all images. Returns its path. */
  finish(folder: string): string;
}

/**
 * Begins an image.
 * @param base the name of the base in a registry; if it is undefined, the base is made from Debian packages
 * @param staging an existing folder for what is written meanwhile
 */
export function beginImage(source: Source, base: string | undefined, staging: string): ImageBuild {
  const { root, command, time } = source;
  const store = join(staging, 'buildah');
  const layout = join(staging, 'image');
  const buildah = (...args: string[]): string => {
    const own = ['--root', join(store, 'root'), '--runroot', join(store, 'run'), '--storage-driver', 'vfs'];
    const env = { ...process.env, TMPDIR: store };
    return execFileSync('buildah', [...own, ...args], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  };
  mkdirSync(store, { recursive: true });
  return {
    add(architecture, prefix) {
      const container = base
        ? buildah('from', '--arch', architecture.name, base)
        : fromDebian(buildah, architecture, time, store);
      buildah('add', container, writeLayer(root, time, prefix, store), '/');
      buildah('config', ...configOf(architecture, command.version), container);
      commit(buildah, container, time, `sealpost:${architecture.name}`);
      buildah('push', `sealpost:${architecture.name}`, `oci:${layout}:${architecture.name}`);
    },
    finish(folder) {
      finishLayout(layout, command.version, { command: HEALTH_CHECK });
      const file = join(folder, `sealpost-${command.version}-image.tar`);
      execFileSync('tar', [...tarFlags(time), '-cf', file, '-C', layout, 'oci-layout', 'index.json', 'blobs']);
      rmSync(layout, { recursive: true });
      return file;
    },
  };
}

type Buildah = (...args: string[]) => string;

/** Returns a container on a base of Debian packages. */
function fromDebian(buildah: Buildah, architecture: Architecture, time: SourceTime, folder: string): string {
  const container = buildah('from', 'scratch');
  buildah('add', container, writeBase(architecture, time, folder), '/');
  buildah('config', '--arch', architecture.name, '--os', 'linux', container);
  const name = `debian:${architecture.name}`;
  commit(buildah, container, time, name);
  return buildah('from', '--pull-never', '--arch', architecture.name, name);
}

const commit = (buildah: Buildah, container: string, time: SourceTime, name: string): void => {
  buildah('commit', '--quiet', '--rm', '--format', 'oci', '--timestamp', String(time), container, name);
};

/** Writes the files of the layer as a tarball, with their owners. Returns its path. */
function writeLayer(root: string, time: SourceTime, prefix: string, folder: string): string {
  const staged = join(folder, 'layer');
  const file = join(folder, 'layer.tar');
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged);
  linkFolder(prefix, join(staged, 'usr'));
  writeLauncher(join(staged, 'usr'), `/usr/${LIBRARY}`);
  cpSync(join(root, 'deploy/image/healthy.mjs'), join(staged, 'usr', LIBRARY, 'healthy.mjs'));
  for (const place of [IMAGE_DATA, SETTINGS_FOLDER]) mkdirSync(join(staged, place), { recursive: true });
  setModes(staged);
  execFileSync('tar', [...tarFlags(time), '-cf', file, '-C', staged, 'usr', `.${SETTINGS_FOLDER}`]);
  const owner = [`--owner=${CONTAINER_USER}`, `--group=${CONTAINER_USER}`, '--mode=0700'];
  execFileSync('tar', [...tarFlags(time), ...owner, '--append', '--file', file, '-C', staged, `.${IMAGE_DATA}`]);
  return file;
}

const configOf = ({ name }: Architecture, version: string): string[] => [
  ...['--arch', name, '--os', 'linux', '--user', USER, '--workingdir', SETTINGS_FOLDER],
  ...['--entrypoint', JSON.stringify(['/usr/bin/sealpost']), '--cmd', 'serve', '--stop-signal', 'SIGTERM'],
  ...['--port', `${IMAGE_PORT}/tcp`, '--volume', IMAGE_DATA],
  ...Object.entries(ENVIRONMENT).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
  ...Object.entries({
    title: 'Sealpost',
    description: 'Server for a personal messaging gateway',
    licenses: 'Apache-2.0',
    version,
  }).flatMap(([key, value]) => ['--label', `org.opencontainers.image.${key}=${value}`]),
];
