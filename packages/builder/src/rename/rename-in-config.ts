/** Plans edits of navigation entries, links and redirects in docs.json and its included parts. */
import { type JsonNode, joinPath, pageUrl, parseJson, parsePagePath } from '@octavo/model'
import type { TextEdit } from './plan-rename.ts'

type Config = {
  readonly file: string
  readonly text: string
  readonly read: (path: string) => string | undefined
}

type Paths = { readonly from: string; readonly to: string }

/** Maximum number of included parts; no real site has more. */
const PARTS_MAX = 1_000

export function renameInConfig(
  config: Config,
  paths: Paths,
): ReadonlyMap<string, readonly TextEdit[]> {
  const result = new Map<string, TextEdit[]>()
  const queue = [config.file]
  for (const file of queue) {
    const text = file === config.file ? config.text : config.read(file)
    const root = text === undefined ? undefined : parseJson(file, text, () => {})
    if (text === undefined || root === undefined) continue
    const edits: TextEdit[] = []
    for (const node of strings(root)) {
      if (node.key === '$ref') {
        const part = joinPath(folderOf(file), node.value)
        if (part !== undefined && !queue.includes(part) && queue.length < PARTS_MAX)
          queue.push(part)
        continue
      }
      const put = renamed(node, paths)
      if (put !== undefined) edits.push(replaceString(text, node.start, put))
    }
    if (file === config.file) edits.push(...redirectEdits(root, text, paths))
    if (edits.length > 0) result.set(file, edits)
  }
  return result
}

export type StringNode = Extract<JsonNode, { type: 'string' }>

export function strings(root: JsonNode): readonly StringNode[] {
  const found: StringNode[] = []
  const stack: JsonNode[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'string') found.push(node)
    if (node.type === 'array') stack.push(...node.items)
    if (node.type === 'object') for (const { value } of node.members.values()) stack.push(value)
  }
  return found
}

function renamed({ key, value, parent }: StringNode, { from, to }: Paths): string | undefined {
  const isEntry = typeof key === 'number' && parent?.key === 'pages'
  if (isEntry || key === 'root') {
    const parsed = parsePagePath(value)
    if (parsed.kind !== 'path' || parsed.path !== from) return undefined
    return `${value.startsWith('/') ? '/' : ''}${to}${parsed.extension ?? ''}`
  }
  if (key !== 'href' && key !== 'destination') return undefined
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(value) ?? []
  return path === pageUrl(from) ? `${pageUrl(to)}${rest}` : undefined
}

/** Adds a redirect from the old URL to the new one, and removes a redirect from the new URL. */
function redirectEdits(root: JsonNode, text: string, { from, to }: Paths): readonly TextEdit[] {
  if (root.type !== 'object' || from === 'index') return []
  const entry = { source: pageUrl(from), destination: pageUrl(to) }
  const list = root.members.get('redirects')?.value
  const unit = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  if (list?.type !== 'array') {
    const at = text.lastIndexOf('}')
    const before = text.slice(0, at).trimEnd()
    const comma = before.endsWith('{') || before.endsWith(',') ? '' : ','
    const item = printItem(entry, { unit, newline })
    const put = `${comma}${newline}${unit}"redirects": [${item}${newline}${unit}]${newline}`
    return [{ start: before.length, end: at, put }]
  }
  const isWay = (item: JsonNode) =>
    item.type === 'object' && textOf(item.members.get('source')?.value) === entry.destination
  const item = printItem(entry, { unit, newline })
  const blocking = list.items.findIndex(isWay)
  const at = list.start + 1
  const hasOthers = list.items.length > (blocking < 0 ? 0 : 1)
  if (!hasOthers) {
    const end = findEnd(text, list.start) - 1
    return [{ start: at, end, put: `${item}${newline}${unit}` }]
  }
  const added = { start: at, end: at, put: `${item},` }
  return blocking < 0 ? [added] : [added, removeItem(list.items, blocking, text)]
}

/** Removes an item and the comma after it or, for the last item, the comma before it. */
function removeItem(items: readonly JsonNode[], index: number, text: string): TextEdit {
  const start = items[index]?.start ?? 0
  const next = items[index + 1]?.start
  if (next !== undefined) return { start, end: next, put: '' }
  return { start: text.lastIndexOf(',', start), end: findEnd(text, start), put: '' }
}

function printItem(
  entry: { readonly source: string; readonly destination: string },
  { unit, newline }: { readonly unit: string; readonly newline: string },
): string {
  const lines = [
    `${unit}${unit}{`,
    `${unit}${unit}${unit}"source": ${JSON.stringify(entry.source)},`,
    `${unit}${unit}${unit}"destination": ${JSON.stringify(entry.destination)}`,
    `${unit}${unit}}`,
  ]
  return newline + lines.join(newline)
}

function textOf(node: JsonNode | undefined): string | undefined {
  return node?.type === 'string' ? node.value : undefined
}

export function replaceString(text: string, start: number, put: string): TextEdit {
  return { start, end: findEnd(text, start), put: JSON.stringify(put) }
}

/** Returns the end of the string or object that starts at the given position. */
function findEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '"') {
      at += 1
      while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1
    } else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
}
