/**
 * Checks that an untrusted site, which is compiled in processes with limits, has the same output as
 * a trusted site.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSite } from './build-site.ts'

const FIXTURES = join(import.meta.dirname, '../../../../fixtures')

let work = ''
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'octavo-isolation-'))
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

async function build(name: string, isTrusted: boolean) {
  const root = join(work, `${name.replaceAll('/', '-')}-${isTrusted}`)
  const folder = join(root, 'docs')
  const output = join(root, 'out')
  cpSync(join(FIXTURES, name), folder, { recursive: true })
  const cacheFolder = join(root, 'cache')
  const { diagnostics } = await buildSite({ folder, output, cacheFolder, version: '1', isTrusted })
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.\w+$/.test(file))
    .toSorted()
  return { diagnostics, files: files.map((file) => [file, readFileSync(join(output, file))]) }
}

// The fixtures have pages with problems, author components, and a specification with problems in
// its texts.
test.each(['checks/texts-of-specifications', 'checks/planted-faults', 'sites/gallery'])(
  'a trusted and an untrusted build have the same output: %s',
  async (name) => {
    const trusted = await build(name, true)
    expect(trusted.files.length).toBeGreaterThan(10)
    expect(await build(name, false)).toEqual(trusted)
  },
)
