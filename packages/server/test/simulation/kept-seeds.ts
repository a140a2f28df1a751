// Seeds that once broke a rule, each with the fault that it found.

export const keptSeeds: readonly { readonly seed: number; readonly found: string }[] = [];
