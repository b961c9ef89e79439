/** Headers of every reply; each kind of reply adds its content security policy. */
export const safeHeaders = {
  referrerPolicy: 'no-referrer',
  // TLS is up to the proxy: this header would bind its whole host to it.
  strictTransportSecurity: false,
} as const
