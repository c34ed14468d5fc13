/**
 * Reads and writes `octavo-fonts.json`, which records the package of each font that docs.json names
 * only by its family. Every build of the same files then uses the same fonts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const FONT_RECORD_FILE = 'octavo-fonts.json'

/** A version of a package, with the digest of its archive in npm's format. */
export type FontPackage = {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

const NAME = /^@fontsource(?:-variable)?\/[a-z\d]+(?:-[a-z\d]+)*$/
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/
const INTEGRITY = /^sha512-[\w+/]{86}==$/

/** Returns the package if the fields are valid. */
export function asFontPackage(value: unknown): FontPackage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { name, version, integrity }: Record<string, unknown> = { ...value }
  if (typeof name !== 'string' || !NAME.test(name) || name.length > 100) return undefined
  if (typeof version !== 'string' || !VERSION.test(version) || version.length > 40) return undefined
  if (typeof integrity !== 'string' || !INTEGRITY.test(integrity)) return undefined
  return { name, version, integrity }
}

/** Returns the name that a font family has in packages: `source-sans-3` for `Source Sans 3`. */
export function fontSlug(family: string): string {
  return family.trim().toLowerCase().replaceAll(/\s+/g, '-')
}

const SLUG = /^[a-z\d]+(?:-[a-z\d]+)*$/
const SOURCE = /^package:(?:([a-z\d-]+)|(@[\w/-]+)@([\w.-]+)#(\S+))$/

/** Returns the source of a family's latest package, or undefined if no package has such a name. */
export function familySource(family: string): string | undefined {
  const slug = fontSlug(family)
  return SLUG.test(slug) ? `package:${slug}` : undefined
}

/** Returns the source of a recorded package, which always has the same content. */
export function recordedSource({ name, version, integrity }: FontPackage): string {
  return `package:${name}@${version}#${integrity}`
}

/** Returns true for a source that `familySource` or `recordedSource` returned. */
export function isPackageSource(source: string): boolean {
  return source.startsWith('package:')
}

/** Reads the source of a package: a recorded package, or the slug of a family. */
export function parsePackageSource(source: string): FontPackage | string | undefined {
  const [, slug, name, version, integrity] = SOURCE.exec(source) ?? []
  return slug ?? asFontPackage({ name, version, integrity })
}

/** Returns the recorded package of a family from the text of the file. */
export function readFontRecord(text: string | undefined, family: string): FontPackage | undefined {
  const recorded = asFontPackage(parseRecord(text ?? '{}')?.[fontSlug(family)])
  // A record must not replace a font with another one.
  return recorded?.name.endsWith(`/${fontSlug(family)}`) ? recorded : undefined
}

/** Records a package in the documentation folder. */
export function writeFontRecord(folder: string, fontPackage: FontPackage): void {
  const file = join(folder, FONT_RECORD_FILE)
  const before = existsSync(file) ? parseRecord(readFileSync(file, 'utf8')) : {}
  // A damaged file, for example after a merge, is reported and not replaced.
  if (before === undefined) return
  const slug = fontPackage.name.replace(/^.*\//, '')
  const entries = Object.entries({ ...before, [slug]: fontPackage })
  const sorted = entries.sort(([one], [other]) => (one < other ? -1 : 1))
  try {
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
  } catch {
    // In a folder that is read-only, the font remains unrecorded, which is reported.
  }
}

/** Returns undefined if the text is not a JSON object. */
function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : undefined
  } catch {
    return undefined
  }
}
