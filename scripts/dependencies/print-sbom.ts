/**
 * Prints the production packages of a lockfile as CycloneDX 1.6 JSON. The output is reproducible.
 */
import { createHash } from 'node:crypto'
import { packageName, type ReviewedLockfile, type ReviewedPackage } from './check-dependencies.ts'

export function printSbom({ packages }: ReviewedLockfile): string {
  const components = Object.entries(packages)
    .filter(([folder, { dev, link }]) => folder.includes('node_modules/') && !dev && !link)
    .map(([folder, one]) => componentOf(packageName(folder), one))
  const unique = [...new Map(components.map((one) => [one.purl, one])).values()].toSorted((a, b) =>
    a.purl < b.purl ? -1 : 1,
  )
  const hash = createHash('sha256').update(JSON.stringify(unique)).digest('hex')
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(hash)}`,
    version: 1,
    metadata: { component: { type: 'application', name: 'octavo', 'bom-ref': 'octavo' } },
    components: unique,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function componentOf(name: string, { version = '', license, integrity }: ReviewedPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [algorithm, digest] = (integrity ?? '').split('-')
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: licensesOf(license) }),
    ...(algorithm === 'sha512' &&
      digest !== undefined && {
        hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
      }),
  }
}

function licensesOf(text: string) {
  return / (?:OR|AND) /.test(text) ? [{ expression: text }] : [{ license: { id: text } }]
}

/** Derives a UUID (version 8) from a hash, so that all runs print the same UUID. */
function uuidOf(hash: string): string {
  const hex = `${hash.slice(0, 12)}8${hash.slice(13, 16)}8${hash.slice(17, 32)}`
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
