/** Fetches fonts as Fontsource packages from an npm registry. The last good copy is cached. */
import { createHash } from 'node:crypto'
import { HostedCopies } from '../hosted-copies.ts'
import type { FontOutcome } from '../specification-fetcher.ts'
import type { FontFetchOptions } from './fetch-font.ts'
import {
  asFontPackage,
  type FontPackage,
  parsePackageSource,
  recordedSource,
  writeFontRecord,
} from './font-record.ts'
import { readArchive } from './read-archive.ts'

const REGISTRY = 'https://registry.npmjs.org/'
const FACTS_SIZE_MAX = 1_000_000
const ARCHIVE_SIZE_MAX = 24_000_000
const TIME_MS_MAX = 15_000
/** One file for all weights is preferred to one file per weight. */
const SCOPES = ['@fontsource-variable', '@fontsource'] as const

/** Fetches a recorded package, or the latest package of a family, which is then recorded. */
export async function fetchFontPackage(
  source: string,
  options: FontFetchOptions,
): Promise<FontOutcome> {
  const copies = new HostedCopies(options.cacheFolder, 'fonts')
  const wanted = parsePackageSource(source)
  if (wanted === undefined) return failed('has an invalid name')
  if (typeof wanted !== 'string') return loadArchive(wanted, copies, options)
  const latest = await findLatest(wanted, options)
  if (!('integrity' in latest)) {
    // A copy of an earlier run is better than no font, for example while the registry is down.
    const known = readPackageCopy(source, options.cacheFolder)
    return known.kind === 'package' ? known : latest
  }
  const outcome = await loadArchive(latest, copies, options)
  if (outcome.kind !== 'package') return outcome
  const bytes = Buffer.from(JSON.stringify(latest))
  keep(copies, source, { bytes, now: options.now })
  if (options.recordFolder !== undefined) writeFontRecord(options.recordFolder, latest)
  return outcome
}

/** Returns the copy that an earlier run stored. */
export function readPackageCopy(source: string, cacheFolder: string): FontOutcome {
  const copies = new HostedCopies(cacheFolder, 'fonts')
  const wanted = parsePackageSource(source)
  const known = typeof wanted === 'string' ? readKnown(copies, source) : wanted
  const archive = known && copies.read(recordedSource(known))?.bytes
  if (known === undefined || archive === undefined)
    return failed('is not fetched with `--offline`, and there is no cached copy')
  return asOutcome(known, archive)
}

function readKnown(copies: HostedCopies, source: string): FontPackage | undefined {
  const bytes = copies.read(source)?.bytes
  return bytes && asFontPackage(readJson(bytes))
}

/** Finds the latest version of a font's package. */
async function findLatest(
  slug: string,
  options: FontFetchOptions,
): Promise<FontPackage | FontOutcome> {
  let problem = failed(`is not in the package registry, and neither is \`@fontsource/${slug}\``)
  for (const scope of SCOPES) {
    const url = new URL(`${scope}%2f${slug}/latest`, registryOf(options)).href
    const { bytes, reason, isMissing } = await get(url, FACTS_SIZE_MAX, options)
    if (bytes === undefined) {
      if (isMissing) continue
      problem = failed(reason)
      break
    }
    const facts = readJson(bytes) as
      | { version?: unknown; dist?: { integrity?: unknown } }
      | undefined
    const name = `${scope}/${slug}`
    const found = asFontPackage({
      name,
      version: facts?.version,
      integrity: facts?.dist?.integrity,
    })
    return found ?? failed('has no usable version in the package registry')
  }
  return problem
}

async function loadArchive(
  fontPackage: FontPackage,
  copies: HostedCopies,
  options: FontFetchOptions,
): Promise<FontOutcome> {
  const { name, version } = fontPackage
  const source = recordedSource(fontPackage)
  const copy = copies.read(source)
  if (copy !== undefined) return asOutcome(fontPackage, copy.bytes)
  const file = `${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`
  const { bytes, reason } = await get(
    new URL(file, registryOf(options)).href,
    ARCHIVE_SIZE_MAX,
    options,
  )
  if (bytes === undefined) return failed(reason)
  const outcome = asOutcome(fontPackage, bytes)
  if (outcome.kind === 'package') keep(copies, source, { bytes, now: options.now })
  return outcome
}

function asOutcome(fontPackage: FontPackage, archive: Uint8Array): FontOutcome {
  const { version, integrity } = fontPackage
  if (`sha512-${createHash('sha512').update(archive).digest('base64')}` !== integrity)
    return failed(`does not match the recorded digest of version ${version}`)
  const files = readArchive(archive)
  if (files === undefined) return failed('is not a package archive')
  return { kind: 'package', package: fontPackage, files }
}

type Got = {
  readonly bytes: Uint8Array | undefined
  readonly reason: string
  /** True if the registry has no such package. */
  readonly isMissing: boolean
}

async function get(url: string, bytesMax: number, options: FontFetchOptions): Promise<Got> {
  const { allowPrivateHosts, signal } = options
  const { fetchOutbound, printOutboundFailure } = await import('@octavo/outbound')
  const outcome = await (options.send ?? fetchOutbound)({
    url,
    allowPrivateHosts,
    headers: { accept: 'application/json, */*;q=0.5' },
    limits: { bytesMax, totalMsMax: TIME_MS_MAX },
    ...(signal && { signal }),
  })
  if (outcome.kind === 'loaded') return { bytes: outcome.bytes, reason: '', isMissing: false }
  const isMissing = outcome.kind === 'failed' && 'status' in outcome && outcome.status === 404
  if (outcome.kind === 'not-modified') return { bytes: undefined, reason: 'is empty', isMissing }
  const reason = `cannot be fetched: ${printOutboundFailure(outcome, url)}`
  return { bytes: undefined, reason, isMissing }
}

function registryOf({ registry }: FontFetchOptions): string {
  return registry === undefined ? REGISTRY : registry.replace(/\/*$/, '/')
}

function keep(
  copies: HostedCopies,
  source: string,
  { bytes, now }: { readonly bytes: Uint8Array; readonly now: () => number },
): void {
  copies.write(source, { bytes, fetchedAtMs: now(), etag: undefined, lastModified: undefined })
}

function failed(reason: string): FontOutcome & { readonly kind: 'failed' } {
  return { kind: 'failed', reason }
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
