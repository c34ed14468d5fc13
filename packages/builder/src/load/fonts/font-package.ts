/**
 * Reads a font from a Fontsource package: one file for all weights if the variable
 * package is installed, otherwise one file per weight.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { familySource, fontSlug } from './font-record.ts'
import { type FontFile, fontFormat } from './site-font.ts'

/** Matches subsets that contain no letters of a language. */
const NO_LETTERS = /^(?:math|symbols|emoji)$/
/** Weights that pages use, in addition to the one in docs.json. */
const WEIGHTS = [400, 500, 600, 700]
const FILES_MAX = 60
const FILE_SIZE_MAX = 2_000_000
const RANGE = /^[U+\dA-F?,\s-]+$/i

export type FontRequest = { readonly family: string; readonly weight?: number | undefined }

/** Reads a file of a package by its path. Returns undefined if there is no usable file. */
export type ReadPackageFile = (path: string) => Uint8Array | undefined

/** Returns undefined if no usable package is installed. */
export function readInstalledFont(
  folder: string,
  font: FontRequest,
): readonly FontFile[] | undefined {
  const slug = fontSlug(font.family)
  if (familySource(font.family) === undefined) return undefined
  const read = (scope: string) => {
    const root = findPackage(folder, `${scope}/${slug}`)
    return root === undefined ? undefined : readFontPackage((path) => readFile(root, path), font)
  }
  return read('@fontsource-variable') ?? read('@fontsource')
}

/** Returns undefined if the package is not a usable font. */
export function readFontPackage(
  read: ReadPackageFile,
  font: FontRequest,
): readonly FontFile[] | undefined {
  const slug = fontSlug(font.family)
  return readVariable(read, slug, font) ?? readStatic(read, slug, font)
}

/** Looks up a package as Node does: in the folder, then in its parent folders. */
function findPackage(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (at === dirname(at)) return undefined
  }
}

function readVariable(
  read: ReadPackageFile,
  slug: string,
  { family }: FontRequest,
): readonly FontFile[] | undefined {
  const { variable } = readObject(read('metadata.json'))
  const { min, max } = asObject(asObject(variable).wght)
  const weight = `${Number(min) || 400} ${Number(max) || 400}`
  return readFiles(read, ({ subset, style }) => [
    { file: `${slug}-${subset}-wght-${style}.woff2`, family, weight },
  ])
}

function readStatic(
  read: ReadPackageFile,
  slug: string,
  { family, weight }: FontRequest,
): readonly FontFile[] | undefined {
  const weights = [...new Set([...WEIGHTS, ...(weight === undefined ? [] : [weight])])]
  return readFiles(read, ({ subset, style }) =>
    weights.map((one) => ({
      file: `${slug}-${subset}-${one}-${style}.woff2`,
      family,
      weight: String(one),
    })),
  )
}

type Wanted = { readonly file: string; readonly family: string; readonly weight: string }
type Part = { readonly subset: string; readonly style: FontFile['style'] }

function readFiles(
  read: ReadPackageFile,
  wanted: (part: Part) => readonly Wanted[],
): readonly FontFile[] | undefined {
  const ranges = Object.entries(readObject(read('unicode.json')))
  const files = ranges.flatMap(([subset, range]) => {
    if (typeof range !== 'string' || !RANGE.test(range)) return []
    if (NO_LETTERS.test(subset) || !/^[a-z-]+$/.test(subset)) return []
    return (['normal', 'italic'] as const).flatMap((style) =>
      wanted({ subset, style }).flatMap(({ file, family, weight }) => {
        const bytes = read(`files/${file}`)
        const isMain = subset === 'latin' && style === 'normal' && /^\d+ |^400$/.test(weight)
        if (bytes === undefined || fontFormat(bytes) !== 'woff2') return []
        return [{ family, bytes, format: 'woff2' as const, weight, style, range, isMain }]
      }),
    )
  })
  return files.length === 0 || files.length > FILES_MAX ? undefined : files
}

function readFile(root: string, path: string): Uint8Array | undefined {
  const file = join(root, path)
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat?.isFile() && stat.size <= FILE_SIZE_MAX ? readFileSync(file) : undefined
}

function readObject(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(Buffer.from(bytes ?? []).toString()))
  } catch {
    // The file has a different format, so it is not a Fontsource package.
    return {}
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
