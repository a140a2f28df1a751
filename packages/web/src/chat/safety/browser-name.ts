// The names of browsers for people.

/** Returns browser and system from what a browser says about itself, such as `Firefox, Linux`. */
export function browserName(userAgent: string): string {
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => userAgent.includes(name)) ?? 'Browser';
  const system =
    ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => userAgent.includes(name)) ?? '';
  return [browser.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(', ');
}

/** Returns the name of a device. One without a name comes with what its browser says about itself. */
export const deviceTitle = (name: string): string => (name.startsWith('Mozilla/') ? browserName(name) : name);
