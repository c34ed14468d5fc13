/**
 * Extracts the words that an author wrote for readers, without our parser, and the words that a
 * page shows. Both lists are approximate, so a person must review the differences.
 */

export const WORD = /[\p{L}\p{N}]{3,}/gu

/** Returns the words of the source that the page does not show. */
export function lostWords(source: string, html: string): readonly string[] {
  const words = new Set(proseOf(source).match(WORD))
  if (words.size === 0) return []
  const shown = shownText(html)
  return [...words].filter((word) => !shown.includes(word))
}

/**
 * Returns the source without what readers never see: modules, tags, expressions, URLs and comments.
 */
export function proseOf(source: string): string {
  const body = source.replace(/^\ufeff?---\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, '')
  const fences: string[] = []
  const kept = body
    .replaceAll(/\{\/\*[\s\S]*?\*\/\}|<!--[\s\S]*?-->/g, ' ')
    .replaceAll(
      /^([ \t>]*)(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t>]*\2`*[ \t]*$/gm,
      (_, _indent, _fence, code: string) => {
        fences.push(code.replaceAll(/^.*\[!code.*$/gm, ''))
        return '\n'
      },
    )
  const plain = kept
    .replaceAll(/\\([^\w\s])/g, '$1')
    .replaceAll(/`[^`\n]*`/g, (code) => ` ${code.replaceAll(/[<>{}]/g, ' ')} `)
    .replaceAll(/^(?:import|export)\s[\s\S]*?(?=\n\s*\n|$(?![\s\S]))/gm, ' ')
    .replaceAll(/<\/?[A-Za-z][^<>]*(?:<[^<>]*>[^<>]*)*>/g, ' ')
    .replaceAll(/\{[^{}]*(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}/g, ' ')
    .replaceAll(/\]\([^)\n]*\)/g, '] ')
    .replaceAll(/^\s*\[[^\]]+\]:.*$/gm, ' ')
    .replaceAll(/\]\[[^\]]*\]/g, '] ')
    .replaceAll(/&[a-z#\d]+;/gi, ' ')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/\\[a-zA-Z]+/g, ' ')
  return `${plain}\n${fences.join('\n')}`
}

/**
 * Returns the text between the tags twice: first without the tags, then with a space for each tag.
 */
function shownText(html: string): string {
  const main = html.slice(html.indexOf('<main'))
  const names = [...main.matchAll(/ (?:alt|title|aria-label|placeholder)="([^"]*)"/g)]
  const joined = main.replaceAll(/<[^>]*>/g, '')
  const apart = main.replaceAll(/<[^>]*>/g, ' ')
  return decode(`${joined}\n${apart}\n${names.map(([, text]) => text).join('\n')}`)
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

function decode(text: string): string {
  return text.replaceAll(
    /&(?:(lt|gt|quot|amp)|#(\d+)|#x([\da-f]+));/gi,
    (all, name, number, hex) => {
      if (name !== undefined) return ENTITIES[name] ?? all
      return String.fromCodePoint(Number.parseInt(number ?? hex, number === undefined ? 16 : 10))
    },
  )
}
