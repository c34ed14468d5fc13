import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDiagnostic } from '@octavo/model'
import { describe, expect, test } from 'vitest'
import { listOperations } from './operations/list-operations.ts'
import { frameData } from './pages/frame-data.ts'
import { OperationPages } from './pages/operation-page.ts'
import { printPage } from './pages/print-page.ts'
import { SharedParts } from './pages/shared-parts.ts'
import { parseSpecification } from './parse-specification.ts'

const SPECS = join(import.meta.dirname, '../../../fixtures/specs')

describe.each(readdirSync(SPECS))('fixture specification %s', (name) => {
  const folder = join(SPECS, name)
  const file = readdirSync(folder).find((entry) => /^openapi\.(?:json|ya?ml)$/.test(entry)) ?? ''
  const { specification, diagnostics } = parseSpecification(
    file,
    readFileSync(join(folder, file), 'utf8'),
  )

  test('the pages of the fixture specification match the recorded ones', async () => {
    const options = { pillFields: readPillFields(folder) }
    const pages: string[] = []
    if (specification !== undefined) {
      const reader = new OperationPages(specification, options)
      const parts = new SharedParts(specification, options)
      const context = { part: (ref: string) => parts.part(ref), frame: frameData(specification) }
      for (const operation of listOperations(specification)) {
        pages.push(printPage(reader.page(operation), context))
      }
    }
    const actual = pages.join('\n') || '(no pages)\n'
    await expect(actual).toMatchFileSnapshot(join(folder, 'expected/pages.txt'))
  })

  test('the diagnostics of the fixture specification match the recorded ones', async () => {
    const actual = diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic)}\n`).join('\n')
    await expect(actual || '(none)\n').toMatchFileSnapshot(join(folder, 'expected/diagnostics.txt'))
  })
})

/** Returns `api.params.post` of docs.json, which a fixture sets in `params-post.json`. */
function readPillFields(folder: string): readonly string[] {
  const file = join(folder, 'params-post.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}
