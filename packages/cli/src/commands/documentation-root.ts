import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the nearest folder that contains docs.json: this folder or one of its parents. */
export function documentationRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'docs.json')) || existsSync(join(at, 'mint.json'))) return at
    if (dirname(at) === at) return undefined
  }
}
