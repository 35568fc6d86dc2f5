import { Button, type ButtonProps } from '@mantine/core';

/** Takes no second press while it works, and keeps the focus, which a disabled button loses. */
export function BusyButton({
  isBusy,
  onPress,
  ...props
}: ButtonProps & { isBusy: boolean; onPress: () => void }) {
  return <Button {...props} aria-busy={isBusy} onClick={() => !isBusy && onPress()} />;
}
