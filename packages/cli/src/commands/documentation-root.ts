import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder above that holds docs.json, if there is one. */
export function documentationRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'docs.json')) || existsSync(join(at, 'mint.json'))) return at
    if (dirname(at) === at) return undefined
  }
}
