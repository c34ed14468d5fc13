/** The drawings of a set by name, in the format of the `@iconify-json` packages. */
export type IconSet = {
  readonly icons: Readonly<Record<string, IconDrawing>>
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>
  readonly width?: number
  readonly height?: number
}

type IconDrawing = { readonly body: string; readonly width?: number; readonly height?: number }

/** The icon sets. Font Awesome Free consists of three sets, the other libraries of one. */
export const ICON_SETS = ['solid', 'regular', 'brands', 'lucide', 'tabler'] as const
export type IconSetName = (typeof ICON_SETS)[number]

/** Reads a set when it is first used, because sets are large and most sites use two of them. */
export type ReadIconSet = (name: IconSetName) => IconSet

/** A drawing with an ID that is unique across all sets. */
export type IconSymbol = {
  readonly id: string
  readonly viewBox: string
  readonly body: string
}

/** An alias may lead to another alias, up to this number of steps. */
const ALIAS_STEPS_MAX = 4

export function findSymbol(
  set: IconSet,
  setName: IconSetName,
  written: string,
): IconSymbol | undefined {
  let name = written
  for (let step = 0; step < ALIAS_STEPS_MAX; step += 1) {
    const drawing = Object.hasOwn(set.icons, name) ? set.icons[name] : undefined
    if (drawing !== undefined) {
      const width = drawing.width ?? set.width ?? 16
      const height = drawing.height ?? set.height ?? 16
      return { id: `${setName}-${name}`, viewBox: `0 0 ${width} ${height}`, body: drawing.body }
    }
    const { aliases = {} } = set
    const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined
    if (alias === undefined) return undefined
    name = alias.parent
  }
  return undefined
}
