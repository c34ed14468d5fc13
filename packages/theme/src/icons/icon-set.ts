/** Drawings by name, in the form of the `@iconify-json` packages. */
export type IconSet = {
  readonly icons: Readonly<Record<string, IconDrawing>>
  readonly aliases?: Readonly<Record<string, { readonly parent: string }>>
  readonly width?: number
  readonly height?: number
}

type IconDrawing = { readonly body: string; readonly width?: number; readonly height?: number }

/** Font Awesome Free has three sets, the others have one. */
export const ICON_SETS = ['solid', 'regular', 'brands', 'lucide', 'tabler'] as const
export type IconSetName = (typeof ICON_SETS)[number]

/** Gives a set when it is first asked for: they are large, and most sites use two. */
export type ReadIconSet = (name: IconSetName) => IconSet

/** One drawing. The id is its own among all sets. */
export type IconSymbol = {
  readonly id: string
  readonly viewBox: string
  readonly body: string
}

/** An old name leads to the new one, and that one may be old by now too. */
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
