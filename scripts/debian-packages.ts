// Programs that tests use but npm does not offer, with the Debian packages that contain them.
import { spawnSync } from 'node:child_process';

export const packagesOf = {
  nats: ['nats-server'],
  chromium: ['chromium', 'chromium-headless-shell'],
  firefox: ['firefox-esr'],
  strace: ['strace'],
  python: ['python3', 'python3-cryptography', 'python3-argon2'],
  pytest: ['python3-pytest'],
  go: ['golang-go'],
  artifacts: ['mmdebstrap', 'dpkg', 'systemd', 'buildah', 'runc'],
  s3: ['ceph-mon', 'ceph-osd', 'radosgw'],
  patroni: ['patroni', 'etcd-server', 'haproxy', 'postgresql'],
  fonts: ['fontconfig', 'fonts-noto-core', 'fonts-noto-cjk', 'fonts-noto-color-emoji'],
} as const;

/** Returns the path of a command; undefined if it is not installed. */
export const commandPath = (name: string): string | undefined =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim() || undefined;

/** The fonts that the screenshots need: for Latin, Thai, Arabic, Japanese and Chinese, and emoji. */
const FONTS = ['Noto Sans', 'Noto Sans Thai', 'Noto Sans Arabic', 'Noto Sans CJK JP', 'Noto Color Emoji'];

export function hasFonts(): boolean {
  const { stdout } = spawnSync('fc-list', [':', 'family'], { encoding: 'utf8' });
  const families = new Set((stdout ?? '').split(/[,\n]/));
  return FONTS.every((font) => families.has(font));
}

/** Returns how to install a missing program. Error texts end with it. */
export const howToInstall = (what: keyof typeof packagesOf): string =>
  `\`npm run test:programs\`, as root on Debian, installs ${packagesOf[what].join(', ')}`;
