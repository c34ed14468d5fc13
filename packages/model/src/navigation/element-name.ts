import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { type JsonNode, type JsonObject, placeOf, placeOfMember } from '../json/json-node.ts'
import { text } from '../schema/schema.ts'
import { nearest } from '../text/nearest.ts'
import { KIND_LABELS } from './element-fields.ts'
import { LANGUAGE_ALIASES, LANGUAGE_CODES, type LanguageCode, parseLanguage } from './languages.ts'
import { DIVISION_KINDS, type ElementKind } from './written.ts'

export type ElementName = {
  readonly name: string
  readonly language: LanguageCode | undefined
  /** The element as named in messages, such as `Tab "Guides"`. */
  readonly label: string
  /** The key that contains the name: that of another kind if the element is in the wrong list. */
  readonly namedBy: string
}

const plainText = text()

/** Reads the name of an element from the field for its kind, such as `tab` or `language`. */
export function readElementName(node: JsonObject, kind: ElementKind, report: Report): ElementName {
  const written = node.members.get(kind)?.value
  const isBlank = written?.type === 'string' && written.value.trim() === ''
  if (written === undefined || (isBlank && kind !== 'group')) return unnamed(node, kind, report)
  // Real sites have a group without a name for pages above the first heading.
  if (isBlank) return { ...named(''), label: 'A group without a name' }
  const name = plainText.read(written, report) ?? ''
  return kind === 'language' && name !== '' ? readLanguage(written, name, report) : named(name)

  function named(value: string): ElementName {
    return {
      name: value,
      language: undefined,
      label: `${KIND_LABELS[kind]} "${value}"`,
      namedBy: kind,
    }
  }
}

function readLanguage(written: JsonNode, name: string, report: Report): ElementName {
  const label = `Language "${name}"`
  const language = parseLanguage(name)
  if (language === undefined) {
    const spellings = [...LANGUAGE_CODES, ...Object.keys(LANGUAGE_ALIASES)]
    const guess = nearest(name, spellings)
    const guessed = guess === undefined ? '' : `Did you mean \`${guess}\`? `
    report(
      diagnose('nav/unknown-language', placeOf(written), {
        message: `"${name}" is not a supported language code.`,
        hint: `${guessed}Supported: ${LANGUAGE_CODES.join(', ')}.`,
      }),
    )
  }
  return { name, language, label, namedBy: 'language' }
}

/** Reports that an element has no name. If it has the key of another kind, uses the name there. */
function unnamed(node: JsonObject, kind: ElementKind, report: Report): ElementName {
  const what = KIND_LABELS[kind].toLowerCase()
  const article = /^[aeiou]/.test(what) ? 'An' : 'A'
  const other = [...DIVISION_KINDS, 'group' as const].find(
    (name) => name !== kind && node.members.has(name),
  )
  if (other === undefined) {
    const isBlank = node.members.has(kind)
    report(
      diagnose('nav/missing-name', isBlank ? placeOfMember(node, kind) : placeOf(node), {
        message: `${article} ${what} has no name: the key \`${kind}\` is ${isBlank ? 'empty' : 'missing'}.`,
        hint: isBlank ? 'Add a name.' : `Add \`"${kind}": "…"\`.`,
      }),
    )
    return { name: '', language: undefined, label: `This ${what}`, namedBy: kind }
  }
  report(
    diagnose('nav/missing-name', placeOfMember(node, other), {
      message: `Expected ${article.toLowerCase()} ${what} here, found \`${other}\`.`,
      hint: `Write \`${kind}\` instead of \`${other}\`, or move this entry to where ${KIND_LABELS[other].toLowerCase()}s are listed.`,
    }),
  )
  const written = node.members.get(other)?.value
  const name = written?.type === 'string' ? written.value.trim() : ''
  return { name, language: undefined, label: `${KIND_LABELS[kind]} "${name}"`, namedBy: other }
}
