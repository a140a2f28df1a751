// Rectangular buttons with a text, and round buttons with an icon.
import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { cx } from './cx.ts';

export interface ButtonProps extends ComponentProps<'button'> {
  /**
   * `primary` is for the main action of a screen; a screen has at most one. `danger` is for an action that destroys
   * something.
   */
  readonly look?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: ReactNode;
  /** True if the button fills the width of its container. */
  readonly wide?: boolean;
}

export function Button({ look = 'plain', icon, wide, className, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={cx(styles.button, styles[look], wide && styles.wide, className)} {...rest}>
      {icon}
      <span className={styles.label}>{children}</span>
    </button>
  );
}

export interface IconButtonProps extends ComponentProps<'button'> {
  /** The description of the button's action, for screen readers and as a tooltip. */
  readonly label: string;
  readonly pressed?: boolean;
  readonly look?: 'quiet' | 'primary';
}

export function IconButton({ label, pressed, look = 'quiet', className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      className={cx(styles.iconButton, styles[look], className)}
      {...rest}
    />
  );
}
