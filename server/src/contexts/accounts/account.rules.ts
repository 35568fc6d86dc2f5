export const userQuantities = ['1-5', '6-10', '11-20', '21-50', '50+'] as const;

/** Returns whether the domain is one label followed by the suffix that the operator configured. */
export function isAccountDomain(domain: string, suffix: string): boolean {
  if (!domain.endsWith(suffix)) return false;
  return /^[a-z0-9-]{2,40}$/.test(domain.slice(0, -suffix.length));
}
