import type { LanguageRegistration } from '@shikijs/primitive'
import { translatePattern } from './pattern-scanner.ts'

/** The source and flags of a grammar's pattern in JavaScript. */
export type Translation = readonly [source: string, flags: string]
export type Translations = Readonly<Record<string, Translation>>

const PATTERN_KEYS = new Set(['match', 'begin', 'end', 'while'])
/**
 * The meaning of these patterns depends on the position, so the engine requests them in several
 * forms.
 */
const DEPENDS_ON_PLACE = /\\[AG]/

/**
 * Translates a grammar's patterns to plain RegExps ahead of time: for large grammars, translating
 * takes longer than highlighting many pages.
 */
export function translateGrammar(grammar: LanguageRegistration): Translations {
  const translations: Record<string, Translation> = {}
  for (const written of patternsOf(grammar)) {
    if (DEPENDS_ON_PLACE.test(written)) continue
    // The engine replaces `\z` in the same way.
    const source = written.replaceAll('\\z', '$(?!\\n)(?<!\\n)')
    const regex = translatePattern(source, 'ES2025')
    if (Object.getPrototypeOf(regex) !== RegExp.prototype) continue
    translations[source] = [regex.source, regex.flags]
  }
  return translations
}

function patternsOf(node: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof node !== 'object' || node === null) return found
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'string' && PATTERN_KEYS.has(key)) found.add(value)
    else patternsOf(value, found)
  }
  return found
}
