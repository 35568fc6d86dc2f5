/** The Disca logo: the outline of a phone booth around a dot. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg aria-hidden="true" focusable="false" width={size} height={size} viewBox="0 0 32 32" fill="none">
      <rect width="32" height="32" rx="8" fill="#2456C9" />
      <path
        d="M9 25V15.500C9 10.3 12.1 6.5 16.5 6.500S24 10.3 24 15.500c0 4.6-2.6 8.4-6.8 9.5"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="16" cy="16" r="2.8" fill="#E8792B" />
    </svg>
  );
}
