/** Stands in the place of the builder's `builder-version.ts`: the hash is known when it is packed. */
declare const PACKED_VERSION: string

export function builderVersion(): string {
  return PACKED_VERSION
}
