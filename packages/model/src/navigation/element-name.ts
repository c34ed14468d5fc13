import { diagnose, type Report } from '../diagnostic.ts'
import { type JsonObject, placeOf } from '../json/json-node.ts'
import { nearest } from '../nearest.ts'
import { text } from '../schema/schema.ts'
import { KIND_LABELS } from './element-fields.ts'
import { LANGUAGE_ALIASES, LANGUAGE_CODES, type LanguageCode, parseLanguage } from './languages.ts'
import { DIVISION_KINDS, type ElementKind } from './written.ts'

export type ElementName = {
  readonly name: string
  readonly language: LanguageCode | undefined
  /** For messages: `Tab "Guides"`. */
  readonly label: string
}

const plainText = text()

/** Reads the field that names an element: `tab` of a tab, `language` of a language. */
export function readElementName(node: JsonObject, kind: ElementKind, report: Report): ElementName {
  const written = node.members.get(kind)?.value
  if (written === undefined) {
    reportMissing(node, kind, report)
    return { name: '', language: undefined, label: `This ${KIND_LABELS[kind].toLowerCase()}` }
  }
  // Real sites use a group without a name for pages above the first heading.
  if (kind === 'group' && written.type === 'string' && written.value.trim() === '') {
    return { name: '', language: undefined, label: 'A group without a name' }
  }
  const name = plainText.read(written, report) ?? ''
  const label = `${KIND_LABELS[kind]} "${name}"`
  if (kind !== 'language' || name === '') return { name, language: undefined, label }

  const parsed = parseLanguage(name)
  if (parsed.kind === 'unknown') {
    const spellings = [...LANGUAGE_CODES, ...Object.keys(LANGUAGE_ALIASES)]
    const guess = nearest(name, spellings)
    const guessed = guess === undefined ? '' : `Did you mean \`${guess}\`? `
    report(
      diagnose('nav/unknown-language', placeOf(written), {
        message: `"${name}" is not a supported language code.`,
        hint: `${guessed}Supported: ${LANGUAGE_CODES.join(', ')}.`,
      }),
    )
    return { name, language: undefined, label }
  }
  if (parsed.kind === 'alias') {
    report(
      diagnose('nav/language-alias', placeOf(written), {
        message: `"${name}" is read as the listed code \`${parsed.code}\`.`,
        hint: 'Nothing to do: both spellings work.',
      }),
    )
  }
  return { name, language: parsed.code, label }
}

function reportMissing(node: JsonObject, kind: ElementKind, report: Report): void {
  const other = [...DIVISION_KINDS, 'group' as const].find(
    (name) => name !== kind && node.members.has(name),
  )
  const what = KIND_LABELS[kind].toLowerCase()
  const article = /^[aeiou]/.test(what) ? 'An' : 'A'
  report(
    diagnose('nav/missing-name', placeOf(node), {
      message:
        other === undefined
          ? `${article} ${what} has no name: the key \`${kind}\` is missing.`
          : `Expected ${article.toLowerCase()} ${what} here, found \`${other}\`.`,
      hint:
        other === undefined
          ? `Add \`"${kind}": "…"\`.`
          : `Write \`${kind}\` instead of \`${other}\`, or move this entry to where ${KIND_LABELS[other].toLowerCase()}s are listed.`,
    }),
  )
}
