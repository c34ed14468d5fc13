/** Fonts from URLs, with the last good copy as cache. */
import type { OutboundOptions, OutboundOutcome } from '@octavo/outbound'
import { HostedCopies } from '../hosted-copies.ts'
import type { FontOutcome } from '../specification-fetcher.ts'
import { fontFormat } from './site-font.ts'

export type FontFetchOptions = {
  readonly cacheFolder: string
  readonly allowPrivateHosts: readonly string[]
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
  readonly send?: ((request: OutboundOptions) => Promise<OutboundOutcome>) | undefined
}

const SIZE_MAX = 2_000_000

export async function fetchFont(url: string, options: FontFetchOptions): Promise<FontOutcome> {
  const copies = new HostedCopies(options.cacheFolder, 'fonts')
  const copy = copies.read(url)
  const kept = copy && asOutcome(copy.bytes)
  // Fetched only once: a font's URL is expected to change with its content.
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
  if (outcome.kind === 'not-modified') return { kind: 'failed', reason: 'returned no font' }
  if (outcome.kind !== 'loaded')
    return { kind: 'failed', reason: `cannot be fetched: ${printOutboundFailure(outcome, url)}` }
  const loaded = asOutcome(outcome.bytes)
  if (loaded.kind === 'loaded') {
    const { bytes, etag, lastModified } = outcome
    copies.write(url, { bytes, fetchedAtMs: options.now(), etag, lastModified })
  }
  return loaded
}

/** Returns the copy of an earlier run. */
export function readFontCopy(url: string, cacheFolder: string): FontOutcome {
  const copy = new HostedCopies(cacheFolder, 'fonts').read(url)
  if (copy !== undefined) return asOutcome(copy.bytes)
  return { kind: 'failed', reason: 'is not fetched with `--offline`, and there is no cached copy' }
}

function asOutcome(bytes: Uint8Array): FontOutcome {
  const format = fontFormat(bytes)
  if (format === undefined) return { kind: 'failed', reason: 'is not a WOFF or WOFF2 font' }
  return { kind: 'loaded', bytes, format }
}
