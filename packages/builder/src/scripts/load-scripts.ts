/**
 * Loads the scripts and stylesheets of pages, which are compiled or come from the cache. After an
 * edit, a build must not start a compiler, because that would take longer than everything else.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledScripts, Script } from './compile-scripts.ts'

export type ScriptCache = { readonly cacheFolder: string; readonly version: string }

/** The scripts are the same for all sites, so a process compiles them only once. */
let compiling: Promise<CompiledScripts> | undefined

export async function loadScripts({ cacheFolder, version }: ScriptCache): Promise<CompiledScripts> {
  const file = join(cacheFolder, `scripts-${version.slice(0, 16)}.json`)
  const kept = readKept(file)
  if (kept !== undefined) return kept
  compiling ??= compile()
  const compiled = await compiling
  mkdirSync(cacheFolder, { recursive: true })
  // The file is replaced atomically, because a concurrent build may be reading it.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(compiled))
  renameSync(`${file}.${process.pid}`, file)
  return compiled
}

async function compile(): Promise<CompiledScripts> {
  try {
    const { compileScripts } = await import('./compile-scripts.ts')
    return await compileScripts()
  } catch (error) {
    // A failed compilation must not be cached.
    compiling = undefined
    throw error
  }
}

/** Returns undefined if the file is missing or broken; the scripts are then compiled again. */
function readKept(file: string): CompiledScripts | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Partial<CompiledScripts> | null
    const { site, lazy, integrations, integrationsWithConsent, mermaidFolder, styles } = kept ?? {}
    if (!isScript(site) || !Array.isArray(lazy) || !lazy.every(isScript)) return undefined
    if (typeof mermaidFolder !== 'string' || typeof styles !== 'object') return undefined
    if (typeof integrations !== 'string' || typeof integrationsWithConsent !== 'string')
      return undefined
    const isWhole = Object.values(styles).every((css) => typeof css === 'string')
    const tools = { integrations, integrationsWithConsent }
    return isWhole ? { site, lazy, ...tools, mermaidFolder, styles } : undefined
  } catch {
    return undefined
  }
}

const NAME = /^[\w-]+\.js$/

function isScript(value: unknown): value is Script {
  if (typeof value !== 'object' || value === null) return false
  const { name, code } = value as Partial<Script>
  return typeof code === 'string' && typeof name === 'string' && NAME.test(name)
}
