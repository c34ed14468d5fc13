/** Writes tabs of several code blocks each, which a plugin marks with `tab={"span": 3}`, as tags. */
import { mapProse } from '../page/map-prose.ts'
import { attribute } from './read-tags.ts'

type Block = { readonly code: string; readonly tab: Tab | undefined }
type Tab = { readonly span: number; readonly title: string }

const OPTION = /[ \t]+tab=\{([^{}]*)\}/
/** The names that the plugin shows for these languages. */
const LANGUAGES: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  jsx: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
}

export function convertWideTabs(text: string): string {
  if (!OPTION.test(text)) return text
  const parts: (Block | string)[] = []
  const keep = (part: Block | string) => {
    parts.push(part)
    return ''
  }
  mapProse(text, keep, (code) => keep({ code, tab: tabOf(code) }))
  const lines: string[] = []
  for (let at = 0; at < parts.length; ) {
    const part = parts[at]
    const tabs: string[] = []
    let next = at
    for (let tab = tabAt(parts, next); tab !== undefined; tab = tabAt(parts, next)) {
      const codes = codesFrom(parts, next, tab.span)
      tabs.push(`<TabItem label=${attribute(tab.title)}>`, '', ...codes, '</TabItem>', '')
      next = after(parts, next, tab.span)
    }
    if (tabs.length > 0) {
      lines.push('<Tabs groupId="language">', '', ...tabs, '</Tabs>')
      at = next
    } else {
      lines.push(typeof part === 'string' ? part : (part?.code ?? ''))
      at += 1
    }
  }
  return lines.join('\n')
}

function tabOf(code: string): Tab | undefined {
  const [first = ''] = code.split('\n', 1)
  const [, options] = /^`{3,}\S*[ \t]/.test(first) ? (OPTION.exec(first) ?? []) : []
  if (options === undefined) return undefined
  const language = /^`{3,}(\w*)/.exec(first)?.[1] ?? ''
  const label = /"label":\s*"([^"]*)"/.exec(options)?.[1]
  const title = label ?? LANGUAGES[language] ?? language
  return { span: Number(/"span":\s*(\d{1,2})/.exec(options)?.[1] ?? 1), title }
}

type Parts = readonly (Block | string)[]

/** Returns the tab that starts at a part, or after blank lines at it. */
function tabAt(parts: Parts, at: number): Tab | undefined {
  const [part, next] = [parts[at], parts[at + 1]]
  if (typeof part !== 'string') return part?.tab
  return part.trim() === '' && typeof next !== 'string' ? next?.tab : undefined
}

function codesFrom(parts: Parts, at: number, span: number): readonly string[] {
  return parts
    .slice(at, after(parts, at, span))
    .flatMap((part) => (typeof part === 'string' ? [] : [part.code.replace(OPTION, ''), '']))
}

/** Returns the index after a number of code blocks with only blank lines between them. */
function after(parts: Parts, at: number, span: number): number {
  let end = at
  let count = 0
  for (let next = at; count < span; next += 1) {
    const part = parts[next]
    if (part === undefined || (typeof part === 'string' && part.trim() !== '')) break
    if (typeof part === 'string') continue
    if (count > 0 && part.tab !== undefined) break
    count += 1
    end = next + 1
  }
  return end
}
