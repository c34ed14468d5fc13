import type { CodeNode, CodeOptions } from '@octavo/content'
import { escapeHtml } from '../html.ts'
import type { ContentWriter } from './content-writer.ts'

/** Shorter code is not worth folding. */
const FOLDED_LINES_MIN = 12

/** Names that readers know better than what stands behind the fence. */
const LANGUAGE_LABELS: Readonly<Record<string, string>> = {
  bash: 'Bash',
  c: 'C',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  curl: 'cURL',
  go: 'Go',
  graphql: 'GraphQL',
  html: 'HTML',
  http: 'HTTP',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  kotlin: 'Kotlin',
  md: 'Markdown',
  mdx: 'MDX',
  php: 'PHP',
  py: 'Python',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  swift: 'Swift',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
}

export function languageLabel(language: string | undefined): string {
  if (language === undefined || /^(?:te?xt|plain(?:text)?)$/i.test(language)) return ''
  return Object.hasOwn(LANGUAGE_LABELS, language)
    ? (LANGUAGE_LABELS[language] ?? language)
    : language
}

/** A code block. In a group the title stands on its tab, so it is left out here. */
export function writeCode(writer: ContentWriter, node: CodeNode, isInGroup = false): void {
  const { options } = node
  const lines = writer.highlight(node.text, node.language)
  const isFolded = options.expandable === true && lines.length >= FOLDED_LINES_MIN
  const label = escapeHtml(languageLabel(node.language))
  let classes = 'oct-code'
  if (options.lines === true) classes += ' oct-numbered'
  if (options.wrap === true) classes += ' oct-wrap'
  if (isFolded) classes += ' oct-folded'
  if (options.focus !== undefined && options.focus.length > 0) classes += ' oct-focused'
  writer.put(`<figure class="${classes}"${label === '' ? '' : ` data-language="${label}"`}>`)
  if (options.title !== undefined && !isInGroup) {
    writer.put('<figcaption>')
    writer.putIcon(options.icon)
    writer.put(`<span>${escapeHtml(options.title)}</span></figcaption>`)
  }
  // A reader without a mouse must be able to scroll it.
  writer.put('<pre tabindex="0"><code>')
  writeLines(writer, lines, options)
  writer.put('</code></pre>')
  if (isFolded) {
    const more = escapeHtml(writer.text.showMore)
    writer.put(`<label class="oct-unfold"><input type="checkbox">${more}</label>`)
  }
  writer.put('</figure>')
}

function writeLines(writer: ContentWriter, lines: readonly string[], options: CodeOptions): void {
  const marks = lineMarks(options)
  if (marks === undefined && options.lines !== true) {
    writer.put(lines.join('\n'))
    return
  }
  for (const [index, line] of lines.entries()) {
    const mark = marks?.get(index + 1) ?? ''
    // The line break belongs to the line, so that copied text keeps it.
    writer.put(`<span class="line${mark}">${line}\n</span>`)
  }
}

function lineMarks(options: CodeOptions): ReadonlyMap<number, string> | undefined {
  let marks: Map<number, string> | undefined
  for (const name of ['highlight', 'focus', 'added', 'removed'] as const) {
    for (const line of options[name] ?? []) {
      marks ??= new Map()
      marks.set(line, `${marks.get(line) ?? ''} ${name}`)
    }
  }
  return marks
}

/** A diagram as its source: readable as it is, and drawn by an island where there is one. */
export function writeMermaid(writer: ContentWriter, text: string): void {
  writer.put(`<pre class="oct-mermaid" tabindex="0">${escapeHtml(text)}</pre>`)
}
