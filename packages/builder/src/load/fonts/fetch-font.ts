/** Fetches fonts from URLs and packages. The last good copy is cached. */
import type { OutboundOptions, OutboundOutcome } from '@octavo/outbound'
import { HostedCopies } from '../hosted-copies.ts'
import type { FontOutcome } from '../specification-fetcher.ts'
import { fetchFontPackage, readPackageCopy } from './fetch-font-package.ts'
import { isPackageSource } from './font-record.ts'
import { fontFormat } from './site-font.ts'

export type FontFetchOptions = {
  readonly cacheFolder: string
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
  readonly send?: ((request: OutboundOptions) => Promise<OutboundOutcome>) | undefined
  /** The npm registry of font packages; undefined for the public one. */
  readonly registry?: string | undefined
  /** The documentation folder, if fetched packages are to be recorded in it. */
  readonly recordFolder?: string | undefined
}

const SIZE_MAX = 2_000_000

/** Fetches a font from a URL or a package. */
export async function fetchFont(source: string, options: FontFetchOptions): Promise<FontOutcome> {
  return isPackageSource(source) ? fetchFontPackage(source, options) : fetchFile(source, options)
}

async function fetchFile(url: string, options: FontFetchOptions): Promise<FontOutcome> {
  const copies = new HostedCopies(options.cacheFolder, 'fonts')
  const copy = copies.read(url)
  const kept = copy && asOutcome(copy.bytes)
  // A cached font is not fetched again, because a font's URL is expected to change with its
  // content.
  if (kept?.kind === 'loaded') return kept
  const { allowPrivateHosts, signal } = options
  const { fetchOutbound, printOutboundFailure } = await import('@octavo/outbound')
  const outcome = await (options.send ?? fetchOutbound)({
    url,
    allowPrivateHosts,
    headers: { accept: 'font/woff2, font/woff, */*;q=0.5' },
    limits: { bytesMax: SIZE_MAX },
    ...(signal && { signal }),
  })
  if (outcome.kind === 'not-modified') return { kind: 'failed', reason: 'returned no font data' }
  if (outcome.kind !== 'loaded')
    return { kind: 'failed', reason: `cannot be fetched: ${printOutboundFailure(outcome, url)}` }
  const loaded = asOutcome(outcome.bytes)
  if (loaded.kind === 'loaded') {
    const { bytes, etag, lastModified } = outcome
    copies.write(url, { bytes, fetchedAtMs: options.now(), etag, lastModified })
  }
  return loaded
}

/** Returns the copy that an earlier run stored. */
export function readFontCopy(source: string, cacheFolder: string): FontOutcome {
  if (isPackageSource(source)) return readPackageCopy(source, cacheFolder)
  const copy = new HostedCopies(cacheFolder, 'fonts').read(source)
  if (copy !== undefined) return asOutcome(copy.bytes)
  return { kind: 'failed', reason: 'is not fetched with `--offline`, and there is no cached copy' }
}

function asOutcome(bytes: Uint8Array): FontOutcome {
  const format = fontFormat(bytes)
  if (format === undefined) return { kind: 'failed', reason: 'is not a WOFF or WOFF2 font' }
  return { kind: 'loaded', bytes, format }
}
