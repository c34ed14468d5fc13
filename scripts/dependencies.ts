/**
 * Reviews the npm packages that users of Octavo install, using only package-lock.json: checks
 * licenses and install scripts against allow-lists, and the source of each package. Prints one line
 * per violation and exits with 1.
 *
 *   npx node scripts/dependencies.ts
 *   npx node scripts/dependencies.ts --sbom [file]     writes a CycloneDX 1.6 list of the production packages
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkDependencies, type ReviewedLockfile } from './dependencies/check-dependencies.ts'
import { printSbom } from './dependencies/print-sbom.ts'

const { values, positionals } = parseArgs({
  options: { sbom: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const root = join(import.meta.dirname, '..')
const lockfile: ReviewedLockfile = readJson('package-lock.json')
const { allowScripts } = readJson<{ allowScripts: Readonly<Record<string, boolean>> }>(
  'package.json',
)
const review = checkDependencies(lockfile, allowScripts)
if (values.sbom) {
  const text = printSbom(lockfile)
  const [file] = positionals
  if (file === undefined) process.stdout.write(text)
  else writeFileSync(file, text)
} else {
  for (const violation of review.violations) console.log(violation)
  console.log(
    `${review.production} production packages, ${review.development} for development, ${review.withScripts} with install scripts, ${review.violations.length} violations`,
  )
}
process.exitCode = review.violations.length === 0 ? 0 : 1

function readJson<Value>(path: string): Value {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
