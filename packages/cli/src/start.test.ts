import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const MAIN = pathToFileURL(join(import.meta.dirname, 'main.ts')).href
const RECORD = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
process.on('exit', () => console.error(JSON.stringify(loaded)))
await import(${JSON.stringify(MAIN)})`

/** Returns the packages whose modules a command loads. */
function packagesOf(...args: readonly string[]): readonly string[] {
  const script = ['--input-type=module', '--eval', RECORD, '--', ...args]
  const { stderr } = spawnSync(process.execPath, script, { encoding: 'utf8' })
  const loaded = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as readonly string[]
  const files = loaded.filter((url) => url.startsWith('file:'))
  return [...new Set(files.map((url) => url.split('/packages/')[1]?.split('/')[0] ?? url))]
}

test('a command loads only the packages that it uses', () => {
  expect(packagesOf('--version').toSorted()).toEqual(['cli', 'model', 'outbound'])
})
