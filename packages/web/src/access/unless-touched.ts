/**
 * Returns the field that gets the focus when a dialog opens; undefined on a touch screen, where its keyboard would cover
 * half of the dialog.
 */
export const unlessTouched = <T>(field: T): T | undefined =>
  matchMedia('(pointer: coarse)').matches ? undefined : field;
