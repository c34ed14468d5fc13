import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { docsJsonSchema } from './docs-schema.ts'
import { parseConfig } from './parse-config.ts'
import { VERSION } from './version.ts'

const SITES = join(import.meta.dirname, '../../../fixtures/sites')
const validate = new Ajv({ strict: false, allErrors: true }).compile(docsJsonSchema())

/** Fixtures whose docs.json is a single valid JSON file. */
const configs = readdirSync(SITES).flatMap((name) => {
  const file = join(SITES, name, 'docs.json')
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  const isJson = text.startsWith('{') && !text.includes('$ref')
  return isJson ? [{ name, text }] : []
})

/** Codes of problems that a JSON schema can detect in a single file. */
const SEEN =
  /^(?:value\/(?:missing|wrong-type)|nav\/(?:mixed-children|link-with-children|unknown-language|no-pattern|missing-name))$/

describe('docs.schema.json', () => {
  test.each(configs)('the schema and the parser agree on the fixture $name', ({ text }) => {
    const { diagnostics } = parseConfig({ file: 'docs.json', text, readPart: () => undefined })
    if (diagnostics.some(({ code }) => code.startsWith('json/'))) return
    const accepted = validate(JSON.parse(text))
    const wrong = diagnostics.filter(({ severity }) => severity !== 'note')
    if (wrong.length === 0) expect(validate.errors).toBeNull()
    const visible = wrong.filter(({ code }) => SEEN.test(code))
    if (visible.length > 0) expect(accepted).toBe(false)
  })
})

test('the ID of docs.schema.json contains the version and is not a URL', () => {
  expect(docsJsonSchema()).toMatchObject({ $id: `urn:octavo:docs-schema:${VERSION}` })
})
