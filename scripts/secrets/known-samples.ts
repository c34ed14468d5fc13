/**
 * Made-up keys in tests and documentation, each as the start of its SHA-256. A maintainer has
 * reviewed all of them.
 */
export const KNOWN_SAMPLES: ReadonlySet<string> = new Set([
  // api-keys/token.test.ts: the key format.
  'f2bfbd65c334',
  '75c6dd4aa38e',
  '804cc8e2b84c',
  '55ddc0b0cdc6',
  '7be78d70cb49',
  // A key that the dashboard and its tests show.
  '773205f4a40e',
  '1b2b4c4281b6',
  // A repository token in tests of builds.
  'f738db9c7133',
])
