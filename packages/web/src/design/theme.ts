// The theme, light or dark. It is the theme of the system unless the user has chosen one.

export type Theme = 'system' | 'light' | 'dark';
const CHOSEN = 'sealpost-theme';

export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(CHOSEN);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(CHOSEN, theme);
  applyTheme(theme);
}
