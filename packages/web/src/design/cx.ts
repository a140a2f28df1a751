/** Joins class names. Leaves out those that are false or undefined. */
export const cx = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
