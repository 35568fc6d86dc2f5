import { Button, type ButtonProps } from '@mantine/core';

/** Ignores clicks while busy, but keeps the focus, which a disabled button would lose. */
export function BusyButton({
  isBusy,
  onPress,
  ...props
}: ButtonProps & { isBusy: boolean; onPress: () => void }) {
  return <Button {...props} aria-busy={isBusy} onClick={() => !isBusy && onPress()} />;
}
