/**
 * Writes docs.schema.json from the model. With --check, only reports whether the file is up to
 * date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { docsJsonSchema } from '@octavo/model'

const file = join(import.meta.dirname, '../docs.schema.json')
const text = `${JSON.stringify(docsJsonSchema(), null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    console.log(
      'docs.schema.json does not match the model. Run `npm run generate` and read the diff.',
    )
    process.exitCode = 1
  }
} else writeFileSync(file, text)
