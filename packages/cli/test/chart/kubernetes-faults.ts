// Checks manifests against the API of Kubernetes. The package `kubernetes-models` is made of the OpenAPI documents of
// Kubernetes: its validators know types, formats and required fields, and its types know all names of fields.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import ts from 'typescript';

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
}

type Model = new (manifest: never) => { validate(): void };

/** The kinds that the chart has, each with its model and the module of the package that has its types. */
const kinds: Readonly<Record<string, { readonly model: Model; readonly module: string }>> = {
  'apps/v1 StatefulSet': { model: StatefulSet, module: 'apps/v1/StatefulSet' },
  'networking.k8s.io/v1 Ingress': { model: Ingress, module: 'networking.k8s.io/v1/Ingress' },
  'policy/v1 PodDisruptionBudget': { model: PodDisruptionBudget, module: 'policy/v1/PodDisruptionBudget' },
  'v1 Service': { model: Service, module: 'v1/Service' },
};

/** Returns what Kubernetes would refuse or ignore in the manifests. */
export function kubernetesFaults(manifests: readonly Named[]): string[] {
  const unknown = manifests.filter((manifest) => kinds[nameOf(manifest)] === undefined);
  if (unknown.length > 0) return unknown.map((manifest) => `${nameOf(manifest)} is no known kind`);
  return [...manifests.flatMap(refusedIn), ...ignoredIn(manifests)];
}

const nameOf = ({ apiVersion, kind }: Named): string => `${apiVersion} ${kind}`;

function refusedIn(manifest: Named): string[] {
  const { model: Kind } = kinds[nameOf(manifest)] as { model: Model };
  try {
    new Kind(manifest as never).validate();
    return [];
  } catch (error) {
    return [`${nameOf(manifest)}: ${String(error)}`];
  }
}

/**
 * Returns the fields that the API does not have. A validator accepts them, and Kubernetes drops them in silence. The
 * compiler reports them in a literal of the manifest's type.
 */
function ignoredIn(manifests: readonly Named[]): string[] {
  // The folder is below the project, so that the compiler finds the package.
  const folder = join(import.meta.dirname, `../../../../node_modules/.cache/chart-${process.pid}`);
  const file = join(folder, 'manifests.ts');
  const lines = manifests.flatMap((manifest, n) => {
    const { module } = kinds[nameOf(manifest)] as { module: string };
    const type = `I${manifest.kind}`;
    return [
      `import type { ${type} as Kind${n} } from 'kubernetes-models/${module}';`,
      `export const manifest${n}: Kind${n} = ${JSON.stringify(manifest)};`,
    ];
  });
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, `${lines.join('\n')}\n`);
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
