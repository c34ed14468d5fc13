/** The version of all packages; `scripts/version.test.ts` compares their manifests with it. */
export const VERSION = '0.1.0'
