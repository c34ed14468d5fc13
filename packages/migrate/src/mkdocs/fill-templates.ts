/** Replaces what the macros plugin of MkDocs would fill in. No macro is run. */

import { posix } from 'node:path'
import type { ForeignFolder } from '../folder/foreign-folder.ts'
import { asValues, type Values } from '../site/values.ts'

export type Templates = {
  readonly folder: ForeignFolder
  readonly config: Values
  /** Variables that pages use; the name is added when one does. */
  readonly variables: Map<string, string>
  readonly convert: (what: string) => void
  readonly approximate: (why: string, written: string) => void
  readonly leave: (why: string, written: string) => void
}

const EXPRESSION = /\{\{-?\s*([^{}\n]{1,400}?)\s*-?\}\}/g
const CALL = /^\w+\(\s*(["'])([\w./-]+)\1\s*(?:,\s*(["'])([\w-]+)\3)?/

export function fillTemplates(text: string, templates: Templates): string {
  if (!/\{\{|\{%/.test(text)) return text
  const raw = text.replaceAll(/^[ \t]*\{%-?\s*(?:end)?raw\s*-?%\}[ \t]*\n?/gm, '')
  const lines: string[] = []
  let fence = ''
  /** The lines of a block such as `{% for … %}`, and how many blocks are open. */
  let block: string[] = []
  let depth = 0
  for (const line of raw.split('\n')) {
    const sign = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (sign !== undefined && fence === '') fence = sign
    else if (sign?.startsWith(fence) === true && line.trim() === sign) fence = ''
    const change = fence === '' ? blockChange(line) : 0
    if (depth > 0 || change > 0) {
      block.push(line)
      depth += change
      if (depth > 0) continue
      templates.leave(
        'A part that a template writes is shown as code; write the result',
        block[0] ?? '',
      )
      lines.push('', '````jinja', ...block, '````', '')
      block = []
    } else lines.push(fillLine(line, fence !== '', templates))
  }
  return [...lines, ...block].join('\n')
}

const OPENING = /\{%-?\s*(?:for|if|macro|block|call|filter|with)\b/g
const CLOSING = /\{%-?\s*end(?:for|if|macro|block|call|filter|with)\b/g

function blockChange(line: string): number {
  return [...line.matchAll(OPENING)].length - [...line.matchAll(CLOSING)].length
}

function fillLine(line: string, isFence: boolean, templates: Templates): string {
  const filled = line.replaceAll(EXPRESSION, (written, code: string) =>
    fill(written, code, { templates, isCode: isFence || isInCode(line, written) }),
  )
  // Code that a macro includes keeps the indentation of its line.
  const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
  if (filled.includes('\n') && indent !== '') return filled.replaceAll(/\n(?!\n|$)/g, `\n${indent}`)
  if (isFence) return filled
  return filled.replaceAll(/\{%(?!\s*(?:end)?raw)[^%\n]{1,300}%\}/g, (written) => {
    templates.leave('A template tag is shown as code; write the result', written)
    return `\`${written}\``
  })
}

function isInCode(line: string, written: string): boolean {
  const at = line.indexOf(written)
  return (line.slice(0, at).split('`').length - 1) % 2 === 1
}

function fill(
  written: string,
  code: string,
  { templates, isCode }: { readonly templates: Templates; readonly isCode: boolean },
): string {
  const { config, variables, convert, leave } = templates
  const own = asValues(config.extra)[code]
  if (typeof own === 'string' || typeof own === 'number') {
    convert('variable')
    if (isCode) return String(own)
    variables.set(code, String(own))
    return `{{${code}}}`
  }
  const value = valueAt(config, code.replace(/^config\./, ''))
  if (value !== undefined) {
    convert('variable')
    return value
  }
  const included = isCode ? undefined : codeOf(code, templates)
  if (included !== undefined) {
    templates.approximate('The code that a macro includes was found by its name', written)
    return included
  }
  leave('A template expression is shown as code; write the result', written)
  return isCode ? written : `\`${written}\``
}

function valueAt(config: Values, path: string): string | undefined {
  if (!/^[\w.]+$/.test(path)) return undefined
  let value: unknown = config
  for (const key of path.split('.')) {
    const values = asValues(value)
    value = Object.hasOwn(values, key) ? values[key] : undefined
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

const LANGUAGES: Readonly<Record<string, string>> = {
  py: 'Python',
  rs: 'Rust',
  js: 'JavaScript',
  ts: 'TypeScript',
  go: 'Go',
  rb: 'Ruby',
  java: 'Java',
  r: 'R',
}

/**
 * Returns the code that a macro such as `code_block('guide/joins', 'inner')` includes, if the folder
 * has files of that name with such a section.
 */
function codeOf(call: string, { folder }: Templates): string | undefined {
  const [, , name, , section] = CALL.exec(call) ?? []
  if (name === undefined) return undefined
  const files = folder.files.filter((file) => {
    const extension = posix.extname(file).slice(1)
    const stem = file.slice(0, -extension.length - 1)
    return extension in LANGUAGES && (file.endsWith(`/${name}`) || stem.endsWith(`/${name}`))
  })
  const blocks = files.flatMap((file) => {
    const extension = posix.extname(file).slice(1)
    const code = sectionOf(folder.read(file) ?? '', section)
    return code === undefined ? [] : [`\`\`\`${extension} ${LANGUAGES[extension]}\n${code}\n\`\`\``]
  })
  if (blocks.length < 2) return blocks[0]
  return ['<CodeGroup>', ...blocks, '</CodeGroup>'].join('\n\n')
}

function sectionOf(text: string, section: string | undefined): string | undefined {
  const isMarker = (line: string) => /\[\s*(?:start|end)\s*:/.test(line)
  const lines = text.split('\n')
  if (section === undefined)
    return lines
      .filter((line) => !isMarker(line))
      .join('\n')
      .trim()
  const start = lines.findIndex((line) =>
    new RegExp(`\\[\\s*start\\s*:\\s*${section}\\s*\\]`).test(line),
  )
  const end = lines.findIndex((line) =>
    new RegExp(`\\[\\s*end\\s*:\\s*${section}\\s*\\]`).test(line),
  )
  if (start < 0) return undefined
  return lines
    .slice(start + 1, end < 0 ? undefined : end)
    .filter((line) => !isMarker(line))
    .join('\n')
    .trim()
}
