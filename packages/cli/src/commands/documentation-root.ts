import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the nearest folder, this one or a parent, that contains docs.json. */
export function documentationRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'docs.json')) || existsSync(join(at, 'mint.json'))) return at
    if (dirname(at) === at) return undefined
  }
}
