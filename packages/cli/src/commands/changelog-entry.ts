/** Prints the changes of an API as an `<Update>` of a changelog page. */
import { printable } from '@octavo/model'
import type { ApiChange, SpecificationChanges } from '@octavo/openapi'

/** The number of operations that one line names. */
const OPERATIONS_MAX = 3

/** Documentation changes are not listed, since clients do not notice them. */
const SECTIONS = [
  ['breaking', 'Breaking'],
  ['additive', 'Added and changed'],
] as const

/** Returns the entry; undefined if clients notice none of the changes. */
export function printEntry(
  specifications: readonly SpecificationChanges[],
  date: string,
): string | undefined {
  const all = specifications.flatMap(({ changes }) => changes)
  const sections = SECTIONS.flatMap(([level, title]) => {
    const lines = all.filter((change) => change.level === level).map(printChange)
    return lines.length === 0 ? [] : [{ title, lines: [...new Set(lines)] }]
  })
  if (sections.length === 0) return undefined
  const versions = [...new Set(specifications.flatMap(({ version }) => version ?? []))]
  const [version] = versions
  const description =
    version === undefined || versions.length > 1
      ? ''
      : ` description=${attribute(printable(version))}`
  const tags = sections.map(({ title }) => `'${title}'`).join(', ')
  const body = sections.map(({ title, lines }) => `**${title}**\n\n${lines.join('\n')}`)
  return `<Update label="${date}"${description} tags={[${tags}]}>\n\n${body.join('\n\n')}\n\n</Update>\n`
}

function printChange({ operations, message }: ApiChange): string {
  const more = operations.length - OPERATIONS_MAX
  const named = operations.slice(0, OPERATIONS_MAX).map(code).join(', ')
  const rest = more > 0 ? ` and ${more} more` : ''
  return `- ${named === '' ? '' : `${named}${rest}: `}${sentence(message)}`
}

/** Returns a sentence as MDX. Its parts between backticks stay code. */
function sentence(text: string): string {
  const parts = printable(text.replaceAll(/\s+/g, ' ')).split('`')
  // With an odd number of backticks, one of them belongs to a name.
  if (parts.length % 2 === 0) return parts.map(plain).join("'")
  return parts.map((part, index) => (index % 2 === 1 ? code(part) : plain(part))).join('')
}

const plain = (text: string) => text.replaceAll(/[\\`*_{}[\]<>&~|#!$]/g, '\\$&')

function code(text: string): string {
  const shown = printable(text.replaceAll(/\s+/g, ' ')).replaceAll('`', "'")
  return shown.trim() === '' ? '' : `\`${shown}\``
}

/** Returns an attribute that can contain any text. */
const attribute = (text: string) =>
  /^[\w .+-]*$/.test(text) ? `"${text}"` : `{${JSON.stringify(text)}}`
