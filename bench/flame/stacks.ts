// Turns a processor profile of V8 into a tree of calls, each with the time of its samples.

export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  /** The id of the node of each sample. */
  readonly samples?: readonly number[];
  /** The microseconds before each sample. */
  readonly timeDeltas?: readonly number[];
}

export interface Frame {
  readonly name: string;
  /** The file of the function, shortened. */
  readonly place: string;
  micros: number;
  readonly children: Frame[];
}

/** Nodes of V8 in which no code of the server runs. */
const RESTING = new Set(['(idle)']);

/** Returns the address of a file below the project or below node_modules. */
export const placeOf = (url: string): string =>
  url
    .replace(/^file:\/\//, '')
    .replace(/^.*\/node_modules\//, 'npm:')
    .replace(/^.*\/packages\/([^/]+)\/src\//, '$1/');

/** Returns the root, whose time is that of all samples in which the thread worked. Calls of one function are merged. */
export function framesOf({ nodes, samples = [], timeDeltas = [] }: CpuProfile): Frame {
  const own = new Map<number, number>();
  for (const [at, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + Math.max(0, timeDeltas[at] ?? 0));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const first = nodes[0];
  const root: Frame = { name: 'all', place: '', micros: 0, children: [] };
  const add = (id: number, parent: Frame): number => {
    const node = byId.get(id);
    if (!node || RESTING.has(node.callFrame.functionName)) return 0;
    const { functionName, url } = node.callFrame;
    const [name, place] = [functionName || '(anonymous)', placeOf(url)];
    let frame = parent.children.find((child) => child.name === name && child.place === place);
    if (!frame) {
      frame = { name, place, micros: 0, children: [] };
      parent.children.push(frame);
    }
    let micros = own.get(id) ?? 0;
    for (const child of node.children ?? []) micros += add(child, frame);
    frame.micros += micros;
    return micros;
  };
  for (const child of first?.children ?? []) root.micros += add(child, root);
  return root;
}
