// Writes tables as Markdown.

export const verdict = (good: boolean): string => (good ? 'met' : '**missed**');

export const whole = (n: number): string => Math.round(n).toLocaleString('en-US');

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
