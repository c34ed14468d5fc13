/** Puts included files into the text of a page, as the extensions of MkDocs do. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { MIGRATE_LIMITS } from '../site/migrate-limits.ts'

export type Includes = {
  readonly folder: ForeignFolder
  /** The folders that paths are relative to, in order. */
  readonly bases: readonly string[]
  /** The folder that `{* path *}` is relative to. */
  readonly base: string
  readonly convert: (what: string) => void
  /** Reports an include that cannot be read, as written in the page. */
  readonly leave: (why: string, written: string) => void
}

type Reading = { readonly stack: readonly string[]; readonly size: { left: number } }

const SNIPPET = /^(?:-{1,}8<-{1,})[ \t]+(["'])(.+?)\1[ \t]*$/
const BLOCK = /^-{1,}8<-{1,}$/
const ESCAPED = /^;+(?=-{1,}8<-{1,})/
const INCLUDE = /^\{!>?[ \t]*([^!{}\s][^!{}]{0,300}?)[ \t]*!\}$/
const CODE_INCLUDE = /^\{\*[ \t]*([^{}\s]{1,300})((?:[ \t]+[\w]+\[[^\]{}]{0,200}\])*)[ \t]*\*\}$/
const MARKER = /-{1,}8<-{1,}[ \t]*\[[ \t]*(start|end)[ \t]*:[ \t]*([\w-]+)[ \t]*\]/

export function expandIncludes(text: string, includes: Includes): string {
  if (!/8<|\{[!*]/.test(text)) return text
  return expand(text, includes, { stack: [], size: { left: MIGRATE_LIMITS.includedSizeMax } })
}

function expand(text: string, includes: Includes, reading: Reading): string {
  const lines: string[] = []
  let isBlock = false
  for (const line of text.split('\n')) {
    const start = line.trimStart()
    const indent = line.slice(0, line.length - start.length)
    const written = start.trimEnd()
    const put = (included: string) => {
      for (const one of included.split('\n')) lines.push(one === '' ? '' : indent + one)
    }
    if (BLOCK.test(written)) isBlock = !isBlock
    else if (isBlock) {
      if (written !== '' && !written.startsWith(';'))
        put(snippet(written, written, { includes, reading }))
    } else if (ESCAPED.test(written))
      lines.push(indent + written.replace(ESCAPED, (signs) => signs.slice(1)))
    else {
      const path = SNIPPET.exec(written)?.[2]
      const file = INCLUDE.exec(written)?.[1]
      const code = CODE_INCLUDE.exec(written)
      if (path !== undefined) put(snippet(path, written, { includes, reading }))
      else if (file !== undefined) put(wholeFile(file, written, { includes, reading }))
      else if (code !== null) put(codeFile(code, includes))
      else if (MARKER.test(line)) continue
      else lines.push(line)
    }
  }
  return lines.join('\n')
}

type Context = { readonly includes: Includes; readonly reading: Reading }

/** Returns the text for `path`, `path:section` or `path:3:9`. */
function snippet(path: string, written: string, { includes, reading }: Context): string {
  if (/^https?:/.test(path)) {
    includes.leave('This include is on another host, which is not read', written)
    return ''
  }
  const [, name = path, part] = /^(.*?\.[\w-]+|[^:]+)(?::(.+))?$/.exec(path) ?? []
  const file = resolve(name, includes)
  const text = readOnce(file, { includes, reading })
  if (typeof text !== 'string') {
    includes.leave(text.reason, written)
    return ''
  }
  // Markup does not end at its blank lines, as it would in a page.
  if (file?.endsWith('.html') === true) return text.replaceAll(/\n\s*(?=\n)/g, '')
  const root = `${includes.bases.at(-1) ?? ''}/`
  if (file?.startsWith(root) === true && file.endsWith('.svg'))
    return `<img src="/${file.slice(root.length)}" alt="" />`
  const chosen = part === undefined ? text : selectPart(text, part)
  if (chosen === undefined) {
    includes.leave(`The section \`${part}\` is not in \`${file}\``, written)
    return ''
  }
  includes.convert('included file')
  return expand(chosen, includes, { ...reading, stack: [...reading.stack, file ?? ''] })
}

function resolve(name: string, { folder, bases }: Includes): string | undefined {
  const paths = bases.map((base) => joinPath(base, `./${name.replace(/^\/+/, '')}`))
  return paths.find((path) => path !== undefined && folder.has(path))
}

function readOnce(
  file: string | undefined,
  { includes, reading }: Context,
): string | { readonly reason: string } {
  if (file === undefined) return { reason: 'The included file is not in the folder' }
  if (reading.stack.includes(file)) return { reason: 'The file includes itself' }
  if (reading.stack.length >= MIGRATE_LIMITS.includeDepthMax)
    return { reason: 'Too many files include each other' }
  const text = includes.folder.read(file)
  if (text === undefined) return { reason: 'The included file is too large' }
  reading.size.left -= text.length
  if (reading.size.left < 0) return { reason: 'The page includes too much text' }
  return text.replace(/\n$/, '')
}

function selectPart(text: string, part: string): string | undefined {
  const lines = text.split('\n')
  if (/^[\d:,-]*$/.test(part)) {
    const ranges = part.split(',').map((range) => range.split(':').map(Number))
    return ranges
      .flatMap(([from = 1, to]) => lines.slice(Math.max(0, (from || 1) - 1), to || undefined))
      .join('\n')
  }
  const chosen: string[] = []
  let isIn = false
  let isFound = false
  for (const line of lines) {
    const [, edge, name] = MARKER.exec(line) ?? []
    if (edge !== undefined) {
      if (name === part) isIn = edge === 'start'
      isFound ||= name === part
    } else if (isIn) chosen.push(line)
  }
  return isFound ? dedent(chosen).join('\n') : undefined
}

function dedent(lines: readonly string[]): readonly string[] {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const depth = Math.min(...depths, 1_000)
  return lines.map((line) => line.slice(depth))
}

function wholeFile(name: string, written: string, { includes, reading }: Context): string {
  const path = joinPath(includes.base, name)
  const places = [path, joinPath(posix.join(includes.base, 'docs'), name)]
  const file = places.find((one) => one !== undefined && includes.folder.has(one))
  const text = readOnce(file, { includes, reading })
  if (typeof text !== 'string') {
    includes.leave(text.reason, written)
    return ''
  }
  includes.convert('included file')
  return text
}

/** Returns the code block for `{* file.py ln[1:9] hl[3] *}`. */
function codeFile([written, name = '', options = '']: RegExpExecArray, includes: Includes): string {
  const path = joinPath(includes.base, name)
  const text = path === undefined ? undefined : includes.folder.read(path)
  if (path === undefined || text === undefined) {
    includes.leave('The included file is not in the folder', written)
    return ''
  }
  const option = (key: string) => new RegExp(`\\b${key}\\[([^\\]]*)\\]`).exec(options)?.[1]
  const lines = text.trimEnd().split('\n')
  const ranges = readRanges(option('ln') ?? `1:${lines.length}`)
  const numbers = ranges.flatMap(([from, to]) =>
    Array.from({ length: Math.min(to, lines.length) - from + 1 }, (_, index) => from + index),
  )
  const marked = readRanges(option('hl') ?? '').flatMap(([from, to]) =>
    numbers.flatMap((number, index) => (number >= from && number <= to ? [index + 1] : [])),
  )
  const language = posix.extname(path).slice(1)
  const title = option('title')
  const info = [
    language,
    title === undefined ? '' : `title="${title.replaceAll('"', '')}"`,
    marked.length === 0 ? '' : `{${marked.join(',')}}`,
  ].filter((one) => one !== '')
  includes.convert('included file')
  return [
    `\`\`\`${info.join(' ')}`,
    ...numbers.map((number) => lines[number - 1] ?? ''),
    '```',
  ].join('\n')
}

function readRanges(written: string): readonly (readonly [number, number])[] {
  return written.split(',').flatMap((range) => {
    const [from = Number.NaN, to = from] = range.split(':').map((one) => Number.parseInt(one, 10))
    return Number.isNaN(from) ? [] : [[from, Number.isNaN(to) ? from : to] as const]
  })
}
