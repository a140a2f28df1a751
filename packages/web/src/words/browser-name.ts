// Makes readable names of browsers and devices.

/** Returns the names of browser and system, such as `Firefox, Linux`, from the user agent string of a browser. */
export function browserName(userAgent: string): string {
  const browser = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari'].find((name) => userAgent.includes(name)) ?? 'Browser';
  const system =
    ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'].find((name) => userAgent.includes(name)) ?? '';
  return [browser.replace('Edg', 'Edge').replace('OPR', 'Opera'), system].filter(Boolean).join(', ');
}

/** Returns the name of a device. If that name is a user agent string, returns the names of browser and system. */
export const deviceTitle = (name: string): string => (name.startsWith('Mozilla/') ? browserName(name) : name);
