import { readFileSync } from 'node:fs'

/** What was made when the package was. */
export function readPacked(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./compiled/${name}`, import.meta.url), 'utf8'))
}
