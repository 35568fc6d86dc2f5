/** The phone at the bottom right of every page. It shows nothing until it is switched on. */
export function PhoneDock() {
  return null;
}
