/** Generates random but valid navigations for property tests, with their expected results. */
import fc from 'fast-check'
import type { Directory } from '../src/navigation/written.ts'

export type Kind = 'languages' | 'versions' | 'tabs' | 'dropdowns' | 'anchors' | 'products'

/** An element of a generated navigation before it is written as docs.json. */
export type Sketch = {
  readonly list: Kind | 'groups'
  readonly directory: Directory | undefined
  readonly openapi: string | undefined
  readonly isDefault: boolean
  readonly hasRoot: boolean
  readonly children: readonly Sketch[]
  readonly pageCount: number
}

const KINDS: readonly Kind[] = ['languages', 'versions', 'tabs', 'dropdowns', 'anchors', 'products']
const LANGUAGES = ['en', 'fr', 'de', 'es', 'it']

const directory = fc.option(fc.constantFrom<Directory>('accordion', 'card', 'none'), {
  nil: undefined,
})
const openapi = fc.option(fc.constantFrom('a.yaml', 'b.yaml', 'c.json'), { nil: undefined })

/** Generates siblings of one kind, with groups as the leaves. */
export function sketches(depth: number, outer?: Kind): fc.Arbitrary<readonly Sketch[]> {
  const leaf = fc.array(sketch('groups', depth - 1, 'groups'), { minLength: 1, maxLength: 3 })
  if (depth <= 1 || outer === undefined ? depth <= 1 : false) return leaf
  const division = fc
    .constantFrom(...KINDS.filter((kind) => kind !== outer))
    .chain((kind) => fc.array(sketch(kind, depth - 1, kind), { minLength: 1, maxLength: 3 }))
  return fc.oneof(leaf, division)
}

function sketch(list: Sketch['list'], depth: number, outer: Kind | 'groups'): fc.Arbitrary<Sketch> {
  const children =
    outer === 'groups'
      ? depth <= 0
        ? fc.constant([])
        : fc.array(sketch('groups', depth - 1, 'groups'), { maxLength: 2 })
      : sketches(depth, outer)
  return fc.record({
    list: fc.constant(list),
    directory,
    openapi,
    isDefault: fc.boolean(),
    hasRoot: fc.boolean(),
    children,
    pageCount: fc.integer({ min: 1, max: 2 }),
  })
}

export type SketchedPage = {
  readonly path: string
  /** The elements around the page; the innermost one is last. */
  readonly trail: readonly Sketch[]
  /** The siblings of each element in `trail`. */
  readonly siblings: readonly (readonly Sketch[])[]
}

/** Returns a sketch as the `navigation` of a docs.json, together with its pages. */
export function writeSketch(top: readonly Sketch[], directoryAtRoot: Directory | undefined) {
  const pages: SketchedPage[] = []
  let count = 0
  const write = (
    siblings: readonly Sketch[],
    trail: readonly Sketch[],
    above: readonly (readonly Sketch[])[],
  ): object => {
    const list = siblings[0]?.list ?? 'groups'
    const oneDefault = siblings.findIndex(({ isDefault }) => isDefault)
    const written = siblings.map((element, index) => {
      const inside = [...trail, element]
      const around = [...above, siblings]
      const fields = {
        [list === 'groups' ? 'group' : list.slice(0, -1)]:
          list === 'languages' ? LANGUAGES[index] : `Name ${index}`,
        ...(element.directory && { directory: element.directory }),
        ...(element.openapi && { openapi: element.openapi }),
        ...(index === oneDefault &&
          (list === 'versions' || list === 'languages') && { default: true }),
      }
      if (list !== 'groups') return { ...fields, ...write(element.children, inside, around) }
      const page = (): string => {
        const path = `page-${count}`
        count += 1
        pages.push({ path, trail: inside, siblings: around })
        return path
      }
      const root = element.hasRoot ? { root: page() } : {}
      const own = Array.from({ length: element.pageCount }, page)
      const nested =
        element.children.length === 0 ? [] : groupsOf(write(element.children, inside, around))
      return { ...fields, ...root, pages: [...own, ...nested] }
    })
    return { [list]: written }
  }
  const navigation = {
    ...(directoryAtRoot && { directory: directoryAtRoot }),
    ...write(top, [], []),
  }
  return { navigation, pages }
}

function groupsOf(written: object): readonly object[] {
  return (written as { groups: readonly object[] }).groups
}
