/** Reads SUMMARY.md, the list of pages of a space. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import { splitAddress } from '../site/addresses.ts'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'

export type Entry = {
  readonly title: string
  /** A shorter title for the navigation. */
  readonly shortTitle: string | undefined
  /** The path of the page in the old site. */
  readonly file: string | undefined
  readonly fragment: string
  /** The address of a link. */
  readonly href: string | undefined
  readonly line: number
  readonly items: readonly Entry[]
}

type Section = { readonly title: string | undefined; readonly items: readonly Entry[] }

export type Summary = { readonly title: string | undefined; readonly sections: readonly Section[] }

type Open = Entry & { readonly items: Open[]; readonly indent: number }

const ITEM = /^([ \t]*)[*+-][ \t]+(.+)$/
const LINK =
  /^\[((?:\\.|[^\]\\])*)\]\((?:<([^>]*)>|((?:[^()\s]|\([^()]*\))*))(?:[ \t]+"([^"]*)")?[ \t]*\)/

/** `file` is the path of the list, which its links are relative to. */
export function readSummary(text: string, file: string): Summary {
  const sections: { title: string | undefined; items: Open[] }[] = [{ title: undefined, items: [] }]
  let title: string | undefined
  let stack: Open[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [, signs = '', heading] = /^(#{1,6})[ \t]+(.+?)[ \t]*$/.exec(line) ?? []
    if (heading !== undefined) {
      stack = []
      const plain = plainTitle(heading)
      if (signs.length === 1) title ??= plain
      else sections.push({ title: plain, items: [] })
      continue
    }
    const [, spaces = '', written] = ITEM.exec(line) ?? []
    if (written === undefined) continue
    const indent = spaces.replaceAll('\t', '    ').length
    while ((stack.at(-1)?.indent ?? -1) >= indent) stack.pop()
    const entry: Open = { ...readItem(written.trim(), file), line: index + 1, items: [], indent }
    // Items that are nested too deeply are listed on the last level.
    const parent = stack.at(-1) ?? sections.at(-1)
    parent?.items.push(entry)
    if (stack.length < MIGRATE_LIMITS.navigationDepthMax) stack.push(entry)
  }
  return { title, sections: sections.filter(({ items }) => items.length > 0) }
}

function readItem(written: string, list: string): Omit<Entry, 'items' | 'line'> {
  const [, label, angled, plain, shortTitle] = LINK.exec(written) ?? []
  const none = { shortTitle: undefined, file: undefined, href: undefined, fragment: '' }
  if (label === undefined) return { ...none, title: plainTitle(written) }
  const url = angled ?? plain ?? ''
  const shown = { ...none, title: plainTitle(label), shortTitle }
  if (url === '') return shown
  if (/^(?:[a-z][\w+.-]*:|\/\/|\/)/i.test(url)) return { ...shown, href: url }
  const { path, fragment } = splitAddress(url)
  const file = joinPath(posix.dirname(list), path)
  return file === undefined
    ? { ...shown, href: url }
    : { ...shown, file: path.endsWith('/') ? `${file}/README.md` : file, fragment }
}

function plainTitle(written: string): string {
  return written
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\\(?=[^A-Za-z\d\s])/g, '')
    .replaceAll(/[`*]/g, '')
    .replaceAll('&#x20;', ' ')
    .replaceAll('&#x26;', '&')
    .trim()
}
