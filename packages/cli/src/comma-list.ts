import { InvalidArgumentError } from 'commander';

/** Adds the values of one option, separated by commas, to those that the same option had before. */
export function commaList(text: string, earlier: readonly string[] = []): string[] {
  const values = text.split(',').filter(Boolean);
  if (values.length === 0) throw new InvalidArgumentError('It is empty. Name something, or leave the option out.');
  return [...earlier, ...values];
}
