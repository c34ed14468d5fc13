import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../packages/model/src/version.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = [
  '.',
  'lab',
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}`),
]

test.each(FOLDERS)(
  '%s/package.json and its dependencies from this repository have the release version',
  (folder) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
      readonly version: string
      readonly dependencies?: Readonly<Record<string, string>>
    }
    const own = Object.entries(manifest.dependencies ?? {})
      .filter(([name]) => name.startsWith('@octavo/'))
      .map(([, version]) => version)
    expect(new Set([manifest.version, ...own])).toEqual(new Set([VERSION]))
  },
)
