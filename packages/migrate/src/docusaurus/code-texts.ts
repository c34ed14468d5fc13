/** Writes components that show code as code blocks. */
import { posix } from 'node:path'
import type { Imported } from './convert-imports.ts'
import { attribute, readAttributes } from './read-tags.ts'

const TEXT = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|`(?:[^`\\$]|\\[\s\S]|\$(?!\{))*`/
/** Matches a component whose content is a name, or a text that is written in parts. */
const BLOCK = new RegExp(
  `<(CodeBlock|Code)\\b([^<>]*)>\\s*\\{\\s*(?:([A-Za-z_$][\\w$]*)|((?:${TEXT.source})(?:\\s*\\+\\s*(?:${TEXT.source}))*))\\s*\\}\\s*</\\1>`,
  'g',
)

/** Writes the texts of imported files, and texts that the page contains, into code blocks. */
export function showTexts(text: string, { texts }: Imported): string {
  return text.replaceAll(
    BLOCK,
    (written: string, _, attributes: string, name: string | undefined, literals = '') => {
      const imported = name === undefined ? undefined : texts.get(name)
      if (name !== undefined && imported === undefined) return written
      const code = imported?.text ?? readTexts(literals)
      const { texts: options } = readAttributes(attributes)
      const language =
        options.get('language') ??
        options.get('className')?.replace('language-', '') ??
        posix.extname(imported?.file ?? '').slice(1)
      const title = options.get('title')
      const longest = [...code.matchAll(/`{3,}/g)].map(([sign]) => sign.length + 1)
      const fence = '`'.repeat(Math.max(3, ...longest))
      const info = `${language}${title === undefined ? '' : ` title=${attribute(title)}`}`
      return `\n${fence}${info}\n${code.trimEnd()}\n${fence}\n`
    },
  )
}

/** Returns what texts in JavaScript say together. */
function readTexts(literals: string): string {
  const parts = literals.match(new RegExp(TEXT, 'g')) ?? []
  return parts
    .map((part) =>
      part
        .slice(1, -1)
        .replaceAll(
          /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi,
          (_, braced?: string, four?: string, two?: string, sign = '') => {
            const number = Number.parseInt(braced ?? four ?? two ?? '', 16)
            if (sign === '') return number > 0x10ffff ? '' : String.fromCodePoint(number)
            return ESCAPED[sign] ?? sign
          },
        ),
    )
    .join('')
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '', '\n': '' }
