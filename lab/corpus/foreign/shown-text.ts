import type { PageNode } from '@octavo/content'

/** Matches syntax of other tools that readers would see as text. */
export const SUSPECT =
  /^\s*(?::{3}.|!!!|\?\?\?|\/{3} |<<<|--8<|\*\[.+\]:|: {2,}|import .+ from|\[\[?toc)|\{[%!*:.#]|\{\{|\{ [.#]|(?<!\{% (?:end[a-z-]+|tab .*|step|column) )%\}|\+\+[a-z]+\+|==\w.*==|\^\w+\^|:[a-z]+-[a-z-]+:|\]\[\w|\[#/i

/** Matches the ends and parts of blocks, which are reported with their block. */
export const PART = /^\s*\{%-? *(?:end|tab |step|column)/

/** Words of syntax, which a fix removes. */
export const MARKS: ReadonlySet<string> = new Set(
  `note tip info warning danger caution important hint endhint style success code endcode title
  tab tabs endtab endtabs details highlight next line start end toc lines maxlines width md sh linenums
  overflow wrap linenumbers question quote example stepper step endstep endstepper`.split(/\s+/),
)

/** Returns the lines of text that readers see, without code. */
export function shownLines(nodes: readonly PageNode[]): readonly string[] {
  const lines: string[] = []
  let line = ''
  const end = () => {
    lines.push(...line.split('\n').filter((one) => one.trim() !== ''))
    line = ''
  }
  walk(nodes)
  end()
  return lines

  function walk(list: readonly PageNode[]): void {
    for (const node of list) {
      if (typeof node === 'string') line += node
      else if (node.kind === 'code' || node.kind === 'math') end()
      else if (node.kind === 'element' && node.tag === 'code') line += '\ufffd'
      else if ('children' in node) {
        const isBlock =
          node.kind !== 'element' || !/^(?:a|b|em|strong|i|span|del|kbd)$/.test(node.tag)
        if (isBlock) end()
        walk(node.children)
        if (isBlock) end()
      }
    }
  }
}

const WORD = /[\p{L}\p{N}]{2,}/gu

/** Returns the words that readers see, including titles and code. */
export function shownWords(nodes: readonly PageNode[]): ReadonlySet<string> {
  const words = new Set<string>()
  const add = (text: string) => {
    for (const [word] of text.matchAll(WORD)) words.add(word.toLowerCase())
  }
  const stack: PageNode[] = [...nodes]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === 'string') add(node)
    else {
      if (node.kind === 'code') add(`${node.text} ${node.options.title ?? ''}`)
      if (node.kind === 'element') add(String(node.attributes?.href ?? ''))
      if (node.kind === 'component')
        for (const [name, value] of Object.entries(node.props))
          if (typeof value === 'string' && name !== 'icon') add(value)
      if ('children' in node) stack.push(...node.children)
    }
  }
  return words
}
