/** Stands in the place of the builder's `compile-scripts.ts`: our scripts are compiled when it is packed. */
import type { CompiledScripts, Script } from '../../packages/builder/src/scripts/compile-scripts.ts'
import { readPacked } from './read-packed.ts'

export async function compileScripts(): Promise<CompiledScripts> {
  return readPacked('scripts.json') as CompiledScripts
}

export async function compileDevClient(): Promise<string> {
  return readPacked('dev-client.json') as string
}

export async function compileMermaid(): Promise<readonly Script[]> {
  return readPacked('mermaid.json') as readonly Script[]
}
