// The accounts of a workload. First come people, then official accounts.

export const PEOPLE = 6;
export const OFFICIALS = 2;

export const nameOf = (account: number): string =>
  account < PEOPLE ? `person${account}` : `official${account - PEOPLE}`;

export const names: readonly string[] = Array.from({ length: PEOPLE + OFFICIALS }, (_, i) => nameOf(i));
export const accounts: readonly number[] = names.map((_, i) => i);
