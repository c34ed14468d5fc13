/**
 * Checks that after any edits, a build writes the same bytes and finds the same problems as a cold
 * build. `EDIT_STEPS=200` sets the number of edits; `EDIT_SITES=<folder>…` also edits the sites in
 * a folder.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMPONENTS, REFERENCE, SNIPPETS } from '../../testing/rich-sites.ts'
import { TemporarySite } from '../../testing/temporary-site.ts'

const STEPS = Number(process.env.EDIT_STEPS ?? 8)
const FIXTURES = join(import.meta.dirname, '../../../../fixtures/sites')
const SITES: Readonly<Record<string, () => TemporarySite>> = {
  SNIPPETS: () => new TemporarySite(few(SNIPPETS)),
  COMPONENTS: () => new TemporarySite(few(COMPONENTS)),
  REFERENCE: () => new TemporarySite(few(REFERENCE)),
  ...Object.fromEntries(
    [join(FIXTURES, 'access-groups-of-a-page'), ...(process.env.EDIT_SITES?.split(' ') ?? [])].map(
      (folder) => [folder.split('/').at(-1), () => copyOf(folder)],
    ),
  ),
}

/** Keeps only a few pages of a site, so that the test is fast. */
function few(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !/page-(?:[7-9]|\d\d)\.mdx/.test(path)),
  )
}

function copyOf(folder: string): TemporarySite {
  const site = new TemporarySite()
  cpSync(folder, site.folder, { recursive: true })
  return site
}

/** A random edit. Its numbers select a file, a change and a place in any site. */
const STEP = fc.record({ kind: fc.nat(6), file: fc.nat(), other: fc.nat(), place: fc.nat() })
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never

function edit(site: TemporarySite, { kind, file, other, place }: Step): void {
  const files = listFiles(site.folder)
  const pages = files.filter((path) => /\.mdx?$/.test(path))
  const path = pages[file % pages.length] ?? 'new.mdx'
  const text = pages.length === 0 ? '' : readFileSync(join(site.folder, path), 'utf8')
  const target = (pages[other % pages.length] ?? 'x').replace(/\.mdx?$/, '')
  const removed = kind === 4 || (kind === 3 && pages.length > 2)
  const changes: readonly Readonly<Record<string, string>>[] = [
    { [path]: `${text}\nOne more sentence, number ${place}.\n` },
    { [path]: `${text}\n## Heading ${place % 9}\n\n[A link](/${target}#x)\n` },
    { [`added-${place % 5}.mdx`]: `---\ntitle: Added ${other}\n---\n[x](/a)\n` },
    {},
    { [`moved/${path.replaceAll('/', '-')}`]: text },
    // Only the content changes, and the file keeps its size.
    { [path]: text.replace(/[a-z](?=[^a-z]*$)/, 'xyz'.charAt(place % 3)) },
    { [path]: text.replace(/^title:.*$/m, `title: Title ${place % 7}`) },
  ]
  site.write(changes[kind] ?? {})
  if (removed && pages.includes(path)) site.remove(path)
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

async function compareWithCold(site: TemporarySite): Promise<void> {
  const options = { siteUrl: 'https://docs.example.com' }
  const { diagnostics, suppressedCount } = await site.build(options)
  using other = copyOf(site.folder)
  const cold = await other.build(options)
  expect({ diagnostics, suppressedCount }).toEqual({
    diagnostics: cold.diagnostics,
    suppressedCount: cold.suppressedCount,
  })
  expect(site.hashes()).toEqual(other.hashes())
}

describe('builds after random edits', () => {
  test.each(Object.entries(SITES))(
    'after random edits, a build of %s has the same output as a cold build',
    async (_, open) => {
      const steps = fc.array(STEP, { minLength: STEPS, maxLength: STEPS })
      await fc.assert(
        fc.asyncProperty(steps, async (all) => {
          using site = open()
          await compareWithCold(site)
          for (const step of all) {
            edit(site, step)
            await compareWithCold(site)
          }
        }),
        { numRuns: 1, endOnFailure: true },
      )
    },
  )
})
