/**
 * Finds the overlays that docs.json names for each specification. A specification has one form on a
 * site, so its overlays apply wherever it is used, and cannot differ between two places.
 */
import { isHosted } from '../config/api.ts'
import { diagnose, type Place, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonArray, type JsonNode, type JsonObject, placeOf } from '../json/json-node.ts'
import { normalizeSource } from './specification-finder.ts'

/** An overlay with the place where docs.json names it. */
export type OverlayUse = { readonly source: string; readonly place: Place }

/** The overlays of each specification, by its path or URL. */
export type SpecificationOverlays = ReadonlyMap<string, readonly OverlayUse[]>

export function findOverlays(root: JsonObject, report: Report): SpecificationOverlays {
  const found = new Map<string, readonly OverlayUse[]>()
  for (const { source, list } of namedOverlays(root)) {
    const uses = list.items.flatMap((item) =>
      item.type === 'string' && item.value.trim() !== ''
        ? [{ source: sourceOf(item.value), place: placeOf(item) }]
        : [],
    )
    const known = found.get(source)
    if (known === undefined) {
      if (uses.length > 0) found.set(source, uses)
    } else if (namesOf(known) !== namesOf(uses)) reportConflict(source, list, known, report)
  }
  return found
}

type Named = { readonly source: string; readonly list: JsonArray }

/** Returns all `overlays` in the order of the file. */
function namedOverlays(root: JsonObject): readonly Named[] {
  const found: Named[] = []
  const stack: JsonNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'array') stack.push(...node.items.toReversed())
    else if (node.type === 'object') {
      const source = node.members.get('source')?.value
      const list = node.members.get('overlays')?.value
      const isEntry = node.key === 'openapi' || node.parent?.key === 'openapi'
      if (isEntry && source?.type === 'string' && list?.type === 'array') {
        found.push({ source: sourceOf(source.value), list })
      }
      stack.push(...[...node.members.values()].map(({ value }) => value).toReversed())
    }
  }
  return found
}

function sourceOf(written: string): string {
  const source = normalizeSource(written.trim())
  return isHosted(source) ? source : source.replace(/^(?:\.\.?\/|\/)+/, '')
}

function namesOf(uses: readonly OverlayUse[]): string {
  return uses.map(({ source }) => source).join('\n')
}

function reportConflict(
  source: string,
  list: JsonArray,
  known: readonly OverlayUse[],
  report: Report,
): void {
  report(
    diagnose('openapi/overlay-conflict', placeOf(list), {
      message: `"${source}" has other overlays at another place. Those of the first place are used everywhere.`,
      hint: 'Write the same list at both places. For another form of the specification, use an overlay with `extends` as `source`.',
      related: known
        .slice(0, 1)
        .map(({ place }) => ({ message: 'The overlays that are used are here.', place })),
    }),
  )
}
