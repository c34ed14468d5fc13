/** Replaces the builder's `compile-scripts.ts` in packages, where our scripts are precompiled. */
import type {
  CompiledScripts,
  compileHostScripts as compileFromSource,
  Script,
} from '../../packages/builder/src/scripts/compile-scripts.ts'
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

/**
 * Returns the scripts for hosts. They are precompiled too, since their interface text is that of
 * this version.
 */
export async function compileHostScripts(): ReturnType<typeof compileFromSource> {
  return readPacked('host-scripts.json') as Awaited<ReturnType<typeof compileFromSource>>
}
