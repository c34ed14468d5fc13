/**
 * Separates literals from code independently of the printers, for languages whose compilers are not
 * available in tests. It follows the grammars of the languages: a literal that ends early or
 * contains an expression is not read as a literal.
 */
import type { LanguageId } from '../../src/code-samples/languages.ts'

export type ReadProgram = {
  /** The values of all literals. Literals that the program joins into one are joined here too. */
  readonly literals: readonly string[]
  /** The program, in which each literal is replaced by `§`. */
  readonly rest: string
}

type LiteralRule = {
  readonly pattern: RegExp
  readonly meaning: (match: RegExpExecArray) => string
}

const DOUBLE: LiteralRule = {
  pattern: /"((?:[^"\\\n\r]|\\[^\n\r])*)"/y,
  meaning: (match) => readEscapes(match[1]),
}
/** A literal without `$`, which would start an expression. */
const DOUBLE_WITH_DOLLAR: LiteralRule = { ...DOUBLE, pattern: /"((?:[^"\\\n\r$]|\\[^\n\r])*)"/y }
const DOUBLE_WITH_HASH: LiteralRule = { ...DOUBLE, pattern: /"((?:[^"\\\n\r#]|\\[^\n\r])*)"/y }
const SINGLE_WITH_DOLLAR: LiteralRule = { ...DOUBLE, pattern: /'((?:[^'\\\n\r$]|\\[^\n\r])*)'/y }
const DOUBLE_OF_SWIFT: LiteralRule = { ...DOUBLE, pattern: /"((?:[^"\\\n\r]|\\[^\n\r(])*)"/y }
/**
 * A literal without two unescaped question marks in a row, which may be a trigraph. C replaces
 * trigraphs before it parses literals.
 */
const DOUBLE_OF_C: LiteralRule = {
  ...DOUBLE,
  pattern: /"((?:(?!\\?\?\?)(?:[^"\\\n\r]|\\[^\n\r]))*)"/y,
}
const SINGLE_BARE: LiteralRule = { pattern: /'([^'\\]*)'/y, meaning: (match) => match[1] ?? '' }
const BLOCK_OF_JAVA: LiteralRule = {
  pattern: /"""\n((?:[^"\\]|\\[\s\S]|"(?!""))*)"""/y,
  // Java removes trailing white space from each line of a text block.
  meaning: (match) => readEscapes(withoutMargin(match[1]).replaceAll(/[^\S\n]+$/gm, '')),
}
const BLOCK_OF_KOTLIN: LiteralRule = {
  pattern: /"""\n((?:[^"$]|"(?!"")|\$\{'\$'\})*)\n *"""\.trimIndent\(\)/y,
  meaning: (match) => withoutMargin(match[1]).replaceAll(/\$\{'\$'\}/g, '$$'),
}
const BLOCK_OF_SWIFT: LiteralRule = {
  pattern: /(#+)"""\n((?:(?!"""\1|\\\1)[\s\S])*)\n *"""\1(?!#)/y,
  meaning: (match) => withoutMargin(match[2]),
}
const BLOCK_OF_CSHARP: LiteralRule = {
  pattern: /("{3,})(?!")\n((?:(?!\1)[\s\S])*)\n *\1(?!")/y,
  meaning: (match) => withoutMargin(match[2]),
}
const RAW_OF_GO: LiteralRule = { pattern: /`([^`\r]*)`/y, meaning: (match) => match[1] ?? '' }
const RAW_OF_RUST: LiteralRule = {
  pattern: /r(#+)"((?:(?!"\1)[^\r])*)"\1/y,
  meaning: (match) => match[2] ?? '',
}
const RAW_OF_CPP: LiteralRule = {
  pattern: /R"body\(((?:(?!\)body")[\s\S])*)\)body"/y,
  meaning: (match) => match[1] ?? '',
}
const SINGLE_OF_POWERSHELL: LiteralRule = {
  pattern: /['\u2018-\u201b]((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)['\u2018-\u201b]/y,
  meaning: (match) => (match[1] ?? '').replaceAll(/['\u2018-\u201b](['\u2018-\u201b])/g, '$1'),
}

type Grammar = {
  readonly rules: readonly LiteralRule[]
  /** Matches the code between literals that form a single string. */
  readonly joint?: RegExp
}

const GRAMMARS = {
  php: { rules: [SINGLE_BARE, DOUBLE_WITH_DOLLAR], joint: /^ \.\n +$/ },
  go: { rules: [DOUBLE, RAW_OF_GO] },
  java: { rules: [BLOCK_OF_JAVA, DOUBLE] },
  ruby: { rules: [SINGLE_BARE, DOUBLE_WITH_HASH], joint: /^ \\\n +$/ },
  powershell: { rules: [SINGLE_OF_POWERSHELL] },
  swift: { rules: [BLOCK_OF_SWIFT, DOUBLE_OF_SWIFT] },
  csharp: { rules: [BLOCK_OF_CSHARP, DOUBLE] },
  c: { rules: [DOUBLE_OF_C], joint: /^\n +$/ },
  'c++': { rules: [RAW_OF_CPP, DOUBLE_OF_C] },
  kotlin: { rules: [BLOCK_OF_KOTLIN, DOUBLE_WITH_DOLLAR] },
  rust: { rules: [RAW_OF_RUST, DOUBLE] },
  dart: { rules: [SINGLE_WITH_DOLLAR], joint: /^\n +$/ },
} as const satisfies Partial<Record<LanguageId, Grammar>>

export type ReadLanguage = keyof typeof GRAMMARS

export const READ_LANGUAGES = Object.keys(GRAMMARS) as readonly ReadLanguage[]

export function readLiterals(language: ReadLanguage, program: string): ReadProgram {
  const { rules, joint }: Grammar = GRAMMARS[language]
  const source = language === 'java' ? translateUnicodeEscapes(program) : program
  const literals: string[] = []
  let rest = ''
  let between = ''
  for (let at = 0; at < source.length; ) {
    const read = readAt(rules, source, at)
    if (read === undefined) {
      between += source[at]
      at += 1
      continue
    }
    const isJoined = joint !== undefined && literals.length > 0 && joint.test(between)
    if (isJoined) literals.push((literals.pop() ?? '') + read.meaning)
    else literals.push(read.meaning)
    rest += isJoined ? '' : `${between}§`
    between = ''
    at += read.length
  }
  return { literals, rest: rest + between }
}

function readAt(rules: readonly LiteralRule[], source: string, at: number) {
  for (const { pattern, meaning } of rules) {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match !== null) return { meaning: meaning(match), length: match[0].length }
  }
  return undefined
}

/**
 * Replaces Unicode escapes as Java does before it parses literals. An escaped backslash does not
 * start such an escape.
 */
function translateUnicodeEscapes(program: string): string {
  return program.replaceAll(/\\(?:u+([\da-fA-F]{4})|[\s\S])/g, (whole, code: string | undefined) =>
    code === undefined ? whole : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function withoutMargin(block = ''): string {
  const lines = block.split('\n')
  const margins = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const margin = Math.min(...margins)
  return lines.map((line) => line.slice(margin)).join('\n')
}

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

function readEscapes(inside = ''): string {
  return inside.replaceAll(
    /((?:\\[0-7]{3})+)|\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\U([\da-f]{8})|\\([\s\S])/g,
    (_, octal?: string, braced?: string, unit?: string, long?: string, named?: string) => {
      if (octal !== undefined) return fromOctal(octal)
      if (named !== undefined) return CONTROLS[named] ?? named
      const code = Number.parseInt(braced ?? long ?? unit ?? '', 16)
      return unit === undefined ? String.fromCodePoint(code) : String.fromCharCode(code)
    },
  )
}

function fromOctal(escapes: string): string {
  const bytes = escapes
    .slice(1)
    .split('\\')
    .map((digits) => Number.parseInt(digits, 8))
  return new TextDecoder(undefined, { ignoreBOM: true }).decode(Uint8Array.from(bytes))
}
