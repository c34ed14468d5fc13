import { readFileSync } from 'node:fs'

/** Reads an asset that was compiled with the package. */
export function readPacked(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`./compiled/${name}`, import.meta.url), 'utf8'))
}
