import type { CodeNode, CodeOptions } from '@octavo/content'
import { escapeHtml } from '../markup/html.ts'
import type { ContentWriter } from './content-writer.ts'

/** Code with fewer lines is not folded. */
const FOLDED_LINES_MIN = 12

/** Display names of languages. Any other language is shown as written after the fence. */
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

/** Writes a code block. In a group, the tab shows the title, so it is omitted here. */
export function writeCode(writer: ContentWriter, node: CodeNode, isInGroup = false): void {
  const { options } = node
  const lines = writer.highlight(node.text, node.language)
  const isFolded = options.expandable === true && lines.length >= FOLDED_LINES_MIN
  const label = escapeHtml(languageLabel(node.language))
  const language = label === '' ? '' : ` data-language="${label}"`
  const sample = options.sample === undefined ? '' : ` data-sample="${escapeHtml(options.sample)}"`
  writer.put(
    `<figure class="${codeClasses(options, isFolded)}"${language}${themeOf(options)}${sample}>`,
  )
  if (!isInGroup && (options.title !== undefined || options.icon !== undefined)) {
    writer.put('<figcaption>')
    writer.putIcon(options.icon)
    writer.put(`<span>${escapeHtml(options.title ?? '')}</span></figcaption>`)
  }
  if (options.nocopy !== true) putCopyButton(writer)
  // Keyboard users must be able to scroll the code.
  writer.put('<pre tabindex="0"><code>')
  writeLines(writer, lines, node)
  writer.put('</code></pre>')
  if (isFolded) putUnfold(writer)
  writer.put('</figure>')
}

function codeClasses(options: CodeOptions, isFolded: boolean): string {
  let classes = 'oct-code'
  if (options.lines === true) classes += ' oct-numbered'
  if (options.wrap === true) classes += ' oct-wrap'
  if (isFolded) classes += ' oct-folded'
  if (options.focus !== undefined && options.focus.length > 0) classes += ' oct-focused'
  if (options.added !== undefined || options.removed !== undefined) classes += ' oct-diff'
  return classes
}

const DARK_THEMES =
  /dark|night|black|dim|dracula|nord$|monokai|ocean|poimandres|laserwave|vesper|houston|andromeeda|plastic|red$|mocha|macchiato|frappe|moon|wave|dragon|rose-pine$|vitesse-black|synthwave|one-monokai/
const LIGHT_THEMES = /light|latte|dawn|lotus|snazzy-light|min-light|day/

/** Code always has our colors; a named theme only selects light or dark. */
function themeOf({ theme }: CodeOptions): string {
  if (theme === undefined) return ''
  if (LIGHT_THEMES.test(theme)) return ' data-theme="light"'
  return DARK_THEMES.test(theme) ? ' data-theme="dark"' : ''
}

/** Writes the copy button, which is hidden until its script has loaded. */
export function putCopyButton(writer: ContentWriter): void {
  const label = escapeHtml(writer.text.copy)
  writer.put(
    `<button class="oct-copy" type="button" hidden data-oct="copy" aria-label="${label}"></button>`,
  )
}

/** Writes the toggle as a checkbox, so that unfolding needs no script. */
function putUnfold(writer: ContentWriter): void {
  const more = escapeHtml(writer.text.showMore)
  const less = escapeHtml(writer.text.showLess)
  writer.put(
    `<label class="oct-unfold"><input type="checkbox"><span>${more}</span><span>${less}</span></label>`,
  )
}

function writeLines(writer: ContentWriter, lines: readonly string[], node: CodeNode): void {
  const { text, language, options } = node
  const marks = lineMarks(options)
  if (marks === undefined && options.lines !== true) {
    const code = lines.join('\n')
    const place = { start: writer.html.length, length: code.length }
    if (language !== undefined) writer.notes.addCode({ text, language, ...place })
    writer.put(code)
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
