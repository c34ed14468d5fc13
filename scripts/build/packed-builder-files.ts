/** Replaces the builder's `own-files.ts` in packages, where all programs are in one folder. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Translations } from '@octavo/theme'

export function workerFile(): string {
  return fileURLToPath(new URL('./page-worker.js', import.meta.url))
}

export function buildProcessFile(): string {
  return fileURLToPath(new URL('./build-process.js', import.meta.url))
}

/**
 * Returns the folder of the package and the parent `node_modules` folders that may contain its
 * dependencies.
 */
export function readableFolders(): readonly string[] {
  const own = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')
  const folders = [own]
  for (let at = own; at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, 'node_modules'))) folders.push(join(at, 'node_modules'))
  }
  return folders
}

/**
 * Returns the translated patterns of a language. Its name comes from the highlighter's list, never
 * from an author.
 */
export function translatedPatterns(language: string): Translations | undefined {
  const file = new URL(`./compiled/patterns/${language}.json`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Translations) : undefined
}
