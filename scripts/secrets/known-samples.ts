/** Made-up keys of tests and documentation, by the start of their SHA-256. Each was looked at by a person. */
export const KNOWN_SAMPLES: ReadonlySet<string> = new Set([
  // api-keys/token.test.ts: the format of keys.
  'f2bfbd65c334',
  '75c6dd4aa38e',
  '804cc8e2b84c',
  '55ddc0b0cdc6',
  '7be78d70cb49',
  // The dashboard and its tests show a key.
  '773205f4a40e',
  '1b2b4c4281b6',
  // The token of a repository in tests of builds.
  'f738db9c7133',
])
