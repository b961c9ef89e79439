/** Headers of every reply; each kind of reply adds its policy of contents. */
export const safeHeaders = {
  referrerPolicy: 'no-referrer',
  // Transport is the proxy's: this would bind all of its host to TLS.
  strictTransportSecurity: false,
} as const
