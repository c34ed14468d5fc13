import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Sketch,
  type SketchedPage,
  sketches,
  writeSketch,
} from '../../testing/written-site.ts'
import { EMPTY_FRONTMATTER } from '../frontmatter/frontmatter-fields.ts'
import { parseConfig } from '../parse-config.ts'
import type { NavPage } from './navigation.ts'
import { divisionsOf } from './page-context.ts'
import { resolveNavigation } from './resolve-navigation.ts'
import { NO_SPECIFICATIONS } from './site-facts.ts'
import type { Directory } from './written.ts'

const directoryAtRoot = fc.option(fc.constantFrom<Directory>('accordion', 'card', 'none'), {
  nil: undefined,
})
const site = fc
  .tuple(sketches(4), directoryAtRoot)
  .map(([top, directory]) => ({ ...writeSketch(top, directory), directory }))

function resolve(navigation: object, paths: readonly string[]) {
  const text = JSON.stringify({ navigation })
  const parsed = parseConfig({ file: 'docs.json', text, readPart: () => undefined })
  const frontmatter = EMPTY_FRONTMATTER
  const pages = new Map(
    paths.map((path) => [
      path,
      { path, file: `${path}.mdx`, frontmatter, isPageOnlyWhenListed: false },
    ]),
  )
  if (parsed.config === undefined) throw new Error('a valid site is not read')
  const facts = { pages, ...NO_SPECIFICATIONS, hasFile: () => true }
  return { ...resolveNavigation({ written: parsed.config.navigation, ...facts }), parsed }
}

/** Returns each resolved page together with the sketch that it was generated from. */
function pairs(written: { navigation: object; pages: readonly SketchedPage[] }) {
  const paths = written.pages.map(({ path }) => path)
  const { navigation } = resolve(written.navigation, paths)
  return written.pages.map((sketched) => {
    const page = navigation.byPath.get(sketched.path)
    if (page === undefined) throw new Error(`${sketched.path} is lost`)
    return { sketched, page }
  })
}

describe('valid navigations', () => {
  test('a valid navigation has no errors and keeps every listed page', () => {
    fc.assert(
      fc.property(site, (written) => {
        const paths = written.pages.map(({ path }) => path)
        const { navigation, diagnostics, parsed } = resolve(written.navigation, paths)
        const errors = [...parsed.diagnostics, ...diagnostics].filter(
          ({ severity }) => severity === 'error',
        )
        expect(errors).toEqual([])
        expect(navigation.entries.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
      }),
    )
  })

  test('navigation rule 4: `directory` is inherited from the nearest element that sets it, or from the root', () => {
    fc.assert(
      fc.property(site, (written) => {
        for (const { sketched, page } of pairs(written)) {
          const nearest = sketched.trail.findLast(({ directory }) => directory !== undefined)
          const inherited = nearest?.directory ?? written.directory ?? 'none'
          const group = sketched.trail.at(-1)
          // According to navigation rule 5, there is no listing without a root page.
          expect(page.parent.directory).toBe(group?.hasRoot ? inherited : 'none')
        }
      }),
    )
  })

  test('generation rule 7: `openapi` is inherited from the nearest element that sets it', () => {
    fc.assert(
      fc.property(site, (written) => {
        for (const { sketched, page } of pairs(written)) {
          const nearest = sketched.trail.findLast(({ openapi }) => openapi !== undefined)
          const expected = nearest?.openapi === undefined ? [] : [nearest.openapi]
          expect(page.parent.specifications.map(({ source }) => source)).toEqual(expected)
        }
      }),
    )
  })

  test('the default version or language is the one marked as default, or else the first', () => {
    fc.assert(
      fc.property(site, (written) => {
        for (const { sketched, page } of pairs(written)) {
          const expected = sketched.trail.flatMap((element, index) => {
            if (element.list === 'groups') return []
            return [isDefault(element, sketched.siblings[index] ?? [])]
          })
          expect(defaultsAround(page)).toEqual(expected)
        }
      }),
    )
  })
})

function isDefault(element: Sketch, siblings: readonly Sketch[]): boolean {
  if (element.list !== 'versions' && element.list !== 'languages') return false
  return (siblings.find((sibling) => sibling.isDefault) ?? siblings[0]) === element
}

function defaultsAround(page: NavPage): readonly boolean[] {
  return divisionsOf(page).map((division) => division.isDefault)
}
