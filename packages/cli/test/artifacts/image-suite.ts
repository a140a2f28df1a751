// Unpacks the image and runs it under runc, with a read-only root and a volume.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Installed, meet, read, send, serve, use } from './installed.ts';
import { type Image, imagesOf, unpack, writeBundle } from './oci-archive.ts';

/** The number by which a program tells its processor, at this offset of its file. */
const MACHINE_OFFSET = 18;
const MACHINES: Readonly<Record<string, number>> = { amd64: 62, arm64: 183 };
const RUNTIME = 'usr/lib/sealpost/runtime/node';
const MATERIALS = 'usr/share/doc/sealpost/sbom.cdx.json';

/** Adds the tests of the image. */
export function testImage(archive: () => { readonly file: string; readonly version: string }): void {
  const folder = mkdtempSync(join(tmpdir(), 'sealpost-image-'));
  const rootfs = join(folder, 'rootfs');
  const volume = join(folder, 'volume');
  let images: readonly Image[];
  let image: Image;

  const runc = (...args: readonly string[]): string[] => ['runc', '--root', join(folder, 'state'), ...args];
  const run = ([program = '', ...args]: readonly string[]) => spawnSync(program, args, { encoding: 'utf8' });
  /** Returns the words that start a container under a new name, as an engine starts the image. */
  function container(name: string, env: Readonly<Record<string, string>>): string[] {
    const bundle = join(folder, name);
    writeBundle(image, bundle, { rootfs, volume, env });
    return runc('run', '--no-new-keyring', '--bundle', bundle, name);
  }
  const installedIn = (name: string): Installed => ({
    words: (env, args) =>
      runc(
        'exec',
        ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
        name,
        'sealpost',
        ...args,
      ),
    env: { SEALPOST_CONFIG_DIR: '/var/lib/sealpost/logins-of-the-test' },
    dataDir: volume,
  });

  before(() => {
    images = imagesOf(archive().file, join(folder, 'archive'));
    const found = images.find(({ architecture }) => architecture === 'amd64');
    assert.ok(found);
    image = found;
    for (const layer of image.layers) unpack(layer, rootfs);
    // An engine gives a new volume the owner that the folder has in the image.
    const { uid, gid, mode } = statSync(join(rootfs, 'var/lib/sealpost'));
    mkdirSync(volume, { mode: mode & 0o777 });
    chownSync(volume, uid, gid);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('the image is there for both processors, as one layer over its base', () => {
    assert.deepEqual(
      images.map(({ architecture }) => architecture),
      ['amd64', 'arm64'],
    );
    for (const { architecture, config, layers } of images) {
      const [base = '', own = ''] = layers;
      assert.equal(layers.length, 2);
      const place = join(folder, `layer-${architecture}`);
      unpack(own, place, RUNTIME, MATERIALS);
      assert.equal(machineOf(join(place, RUNTIME)), MACHINES[architecture]);
      const { components } = JSON.parse(readFileSync(join(place, MATERIALS), 'utf8')) as {
        components: { name: string }[];
      };
      const names = new Set(components.map(({ name }) => name));
      const [cpu, other] = architecture === 'amd64' ? ['x64', 'arm64'] : ['arm64', 'x64'];
      for (const name of ['node-linux-', '@img/sharp-linux-', '@img/sharp-libvips-linux-']) {
        assert.ok(names.has(`${name}${cpu}`), `${name}${cpu}`);
        assert.ok(!names.has(`${name}${other}`), `${name}${other}`);
      }
      unpack(base, place);
      assert.equal(machineOf(join(place, 'bin/dash')), MACHINES[architecture]);
      assert.equal(config.Labels['org.opencontainers.image.version'], archive().version);
      assert.equal(config.StopSignal, 'SIGTERM');
      assert.deepEqual(Object.keys(config.ExposedPorts), ['8787/tcp']);
    }
  });

  test('a server that strangers could reach over plain http does not start by accident', () => {
    const { status, stderr } = run(container('refused', {}));
    assert.equal(status, 2, stderr);
    assert.match(stderr, /0\.0\.0\.0 is reachable by others.*--public-url/);
  });

  const settings = { SEALPOST_PORT: '0', SEALPOST_PUBLIC_URL: 'https://chat.example.org' };

  test('it runs without privileges on a read-only root, is healthy, and takes messages', async () => {
    const installed = installedIn('first');
    const server = await serve(container('first', settings), installed);
    const { status, stderr } = run(runc('exec', 'first', ...image.config.Healthcheck.Test.slice(1)));
    assert.equal(status, 0, stderr);
    assert.notEqual(run(runc('exec', 'first', 'sh', '-c', ': > /usr/lib/sealpost/new')).status, 0);
    assert.equal(use(installed, ['--version']).trim(), archive().version);
    meet(installed);
    send(installed, ['ann', 'bob'], 'from a container');
    assert.equal(statSync(join(volume, 'sealpost.db')).uid, Number(image.config.User.split(':')[0]));
    assert.equal(await server.end('SIGTERM'), 0);
  });

  test('another container on the same volume has the data and the logins', async () => {
    const installed = installedIn('second');
    const server = await serve(container('second', settings), installed);
    send(installed, ['bob', 'ann'], 'from another container');
    assert.deepEqual(read(installed, ['ann', 'bob']), ['from a container', 'from another container']);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.notEqual(run(runc('exec', 'second', ...image.config.Healthcheck.Test.slice(1))).status, 0);
  });
}

function machineOf(file: string): number {
  const bytes = Buffer.alloc(2);
  const opened = openSync(file, 'r');
  readSync(opened, bytes, 0, bytes.length, MACHINE_OFFSET);
  closeSync(opened);
  return bytes.readUInt16LE();
}
