/** Runs all checks other than tests, starting with the fastest. CI runs the same command. */
import { spawnSync } from 'node:child_process'

const OCTAVO = 'packages/cli/src/main.ts'
const DOCS_ANSWERS = 'fixtures/docs-answers.jsonl'
const STEPS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['lockfile', 'node', 'scripts/check-lockfile.ts'],
  ['dependencies', 'node', 'scripts/dependencies.ts'],
  ['secrets', 'node', 'scripts/scan-secrets.ts'],
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', '.'],
  ['types of page scripts', 'tsc', '-p', 'packages/browser/src'],
  ['tidy', 'node', 'scripts/tidy.ts'],
  ['requirements', 'node', 'scripts/requirements.ts'],
  ['schema', 'node', 'scripts/write-schema.ts', '--check'],
  ['transcript', 'node', 'scripts/write-transcript.ts', '--check'],
  ['unused exports', 'knip'],
  ['our own documentation', 'node', OCTAVO, 'check', 'docs', '--strict'],
  ['samples of our documentation', 'node', OCTAVO, 'test', 'docs'],
  ['answers of our documentation', 'node', OCTAVO, 'eval', 'docs', '--against', DOCS_ANSWERS],
]

const started = performance.now()
for (const [name, command, ...args] of STEPS) {
  const begun = performance.now()
  console.log(`\n── ${name} ──`)
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (status !== 0) {
    console.log(`\n✗ ${name} failed after ${seconds} s: ${[command, ...args].join(' ')}`)
    if (command === 'biome')
      console.log('Run `npx biome check --write <file>`, or `npm run format` for all files.')
    process.exit(1)
  }
  console.log(`✓ ${name}, ${seconds} s`)
}
console.log(`\n✓ everything, ${((performance.now() - started) / 1000).toFixed(1)} s`)
