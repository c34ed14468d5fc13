/**
 * A font from an installed Fontsource package: one file for all weights if there is a variable
 * package, otherwise one per weight.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type FontFile, fontFormat } from './site-font.ts'

/** Subsets without letters of a language. */
const NO_LETTERS = /^(?:math|symbols|emoji)$/
/** Weights that pages use, besides the one in docs.json. */
const WEIGHTS = [400, 500, 600, 700]
const FILES_MAX = 60
const FILE_SIZE_MAX = 2_000_000
const RANGE = /^[U+\dA-F?,\s-]+$/i

export type FontRequest = { readonly family: string; readonly weight?: number | undefined }

/** Converts to a package name: `Source Sans 3` → `source-sans-3`. */
export function fontSlug(family: string): string {
  return family.trim().toLowerCase().replaceAll(/\s+/g, '-')
}

/** Undefined if no usable package is installed. */
export function readFontPackage(
  folder: string,
  wish: FontRequest,
): readonly FontFile[] | undefined {
  const slug = fontSlug(wish.family)
  if (!/^[a-z\d]+(?:-[a-z\d]+)*$/.test(slug)) return undefined
  return (
    readVariable(findPackage(folder, `@fontsource-variable/${slug}`), slug, wish) ??
    readStatic(findPackage(folder, `@fontsource/${slug}`), slug, wish)
  )
}

/** Looks up the package like Node: in the folder, then in its parents. */
function findPackage(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (at === dirname(at)) return undefined
  }
}

function readVariable(
  root: string | undefined,
  slug: string,
  { family }: FontRequest,
): readonly FontFile[] | undefined {
  if (root === undefined) return undefined
  const { variable } = readObject(join(root, 'metadata.json'))
  const { min, max } = asObject(asObject(variable).wght)
  const weight = `${Number(min) || 400} ${Number(max) || 400}`
  return readFiles(root, ({ subset, style }) => [
    { file: `${slug}-${subset}-wght-${style}.woff2`, family, weight },
  ])
}

function readStatic(
  root: string | undefined,
  slug: string,
  { family, weight }: FontRequest,
): readonly FontFile[] | undefined {
  if (root === undefined) return undefined
  const weights = [...new Set([...WEIGHTS, ...(weight === undefined ? [] : [weight])])]
  return readFiles(root, ({ subset, style }) =>
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
  root: string,
  wanted: (part: Part) => readonly Wanted[],
): readonly FontFile[] | undefined {
  const ranges = Object.entries(readObject(join(root, 'unicode.json')))
  const files = ranges.flatMap(([subset, range]) => {
    if (typeof range !== 'string' || !RANGE.test(range)) return []
    if (NO_LETTERS.test(subset) || !/^[a-z-]+$/.test(subset)) return []
    return (['normal', 'italic'] as const).flatMap((style) =>
      wanted({ subset, style }).flatMap(({ file, family, weight }) => {
        const bytes = readFont(join(root, 'files', file))
        const isMain = subset === 'latin' && style === 'normal' && /^\d+ |^400$/.test(weight)
        if (bytes === undefined) return []
        return [{ family, bytes, format: 'woff2' as const, weight, style, range, isMain }]
      }),
    )
  })
  return files.length === 0 || files.length > FILES_MAX ? undefined : files
}

function readFont(file: string): Uint8Array | undefined {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > FILE_SIZE_MAX) return undefined
  const bytes = readFileSync(file)
  return fontFormat(bytes) === 'woff2' ? bytes : undefined
}

function readObject(file: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Not a package of this kind.
    return {}
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
