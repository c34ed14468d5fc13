/** Where the files of a site go: a folder, or the memory of a server. */
export type SiteOutput = {
  /** True when this very content is there already. */
  readonly keep: (path: string, key: string) => boolean
  /** Without a key it is known by its bytes. */
  readonly write: (path: string, key: string | undefined, content: string | Uint8Array) => void
  /** A file that is served as it is. */
  readonly copy: (path: string, file: string) => void
  readonly has: (path: string) => boolean
  /** Paths that were written before. */
  readonly earlier: () => readonly string[]
}
