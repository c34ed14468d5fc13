/** Reads the code options of other tools and converts them to Octavo's options. */
import { readParts } from './attribute-lists.ts'

export type ForeignOptions = {
  /** The first option that Octavo does not support. */
  readonly written: string
  readonly tool: string
  readonly hint: string
  /** The equivalent options of Octavo; undefined if information would be lost. */
  readonly put: string | undefined
}

/** Reads the text after the backticks of a fence; undefined if Octavo understands all of it. */
export function readForeignOptions(info: string, code: () => string): ForeignOptions | undefined {
  if (PLAIN.test(info)) return undefined
  const reader = new OptionsReader(code)
  reader.read(info)
  return reader.result()
}

/** Matches the options of most fences, which only have a language. */
const PLAIN = /^(?!snackplayer|npm2yarn)[\w+#-]*$/i

const TOKEN =
  /[\w:-]+=(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^\s"'{]\S*)|\{[^{}]*\}|\[[^\]]*\](?=\s|$)|"[^"]*"(?=\s|$)|'[^']*'(?=\s|$)|\/[^/\s]+\/(?=\s|$)|\S+/g

/** An option as written, and the tool that reads it. */
type Option = { readonly written: string; readonly tool: string }

const TABS_HINT =
  'Put the code of each tab or package manager into a fence of its own, inside `<CodeGroup>`.'
const MARK_HINT = 'Write `// [!code ++]` or `// [!code --]` at the end of these lines.'
const RUN_HINT = 'Octavo does not run code. Write the output into the page.'

/** Words of other tools that would become part of the title or be ignored. */
const WORDS: ReadonlyMap<string, { readonly tool: string; readonly put?: string }> = new Map(
  Object.entries({
    ':line-numbers': { tool: 'VitePress', put: 'lines' },
    ':no-line-numbers': { tool: 'VitePress' },
    live: { tool: 'Docusaurus' },
    noInline: { tool: 'Docusaurus' },
    'no-transpile': { tool: 'Docusaurus' },
    copy: { tool: 'Nextra' },
    wordWrap: { tool: 'Fern', put: 'wrap' },
    '.no-copy': { tool: 'MkDocs', put: 'nocopy' },
  }),
)

const FLAGS: ReadonlySet<string> = new Set(
  'lines expandable wrap nocopy twoslash actions showLineNumbers'.split(' '),
)

class OptionsReader {
  readonly #code: () => string
  /** The equivalent options of Octavo, in order. */
  readonly #kept: string[] = []
  #first: (Option & { readonly hint?: string }) | undefined
  #isExact = true
  /**
   * True if the title consists of words without quotes. A quoted word is then part of the title.
   */
  #hasWords = false

  constructor(code: () => string) {
    this.#code = code
  }

  result(): ForeignOptions | undefined {
    if (this.#first === undefined) return undefined
    const put = this.#kept.join(' ')
    const { written, tool, hint = `Write \`\` \`\`\`${put} \`\`.` } = this.#first
    return { written, tool, hint, put: this.#isExact ? put : undefined }
  }

  read(info: string): void {
    const braces = /^\{([^{}]*)\}$/.exec(info)?.[1]
    const listed = braces === undefined ? undefined : readParts(braces)
    if (listed?.some((part) => part.startsWith('.')) === true) {
      this.#replace({ written: info, tool: 'MkDocs' })
      this.#readList(listed)
    } else this.#readTokens(info)
  }

  #readTokens(info: string): void {
    const isOption = /^[\w-]+=/.test(info)
    const language = isOption ? '' : (/^[^\s{[:"']*/.exec(info)?.[0] ?? '')
    const rest = info.slice(language.length)
    if (language !== '') {
      this.#kept.push(language)
      const hint = 'Write the language, such as `jsx`, for code that does not run.'
      if (/^snackplayer$/i.test(language))
        this.#lose({ written: language, tool: 'React Native' }, hint)
      // Without a space, Octavo reads `js{1}` or `ts:line-numbers` as an unknown language.
      if (/^(?:\{|:(?:no-)?line-numbers)/.test(rest))
        this.#replace({ written: info.split(' ', 1)[0] ?? info, tool: 'VitePress' })
    }
    const spaced = rest.replaceAll(/:(no-)?line-numbers(?:=\d+)?/g, ' :$1line-numbers ')
    const tokens = [...spaced.matchAll(TOKEN)].map(([token]) => token)
    this.#hasWords = tokens.some((token) => /^[\p{L}\p{N}]/u.test(token) && !isKnownWord(token))
    for (const token of tokens) this.#readToken(token)
  }

  #readToken(token: string): void {
    const word = WORDS.get(token)
    if (word !== undefined) this.#replace({ written: token, tool: word.tool }, word.put)
    else if (token === 'npm2yarn' || token === 'config-tabs')
      this.#lose({ written: token, tool: 'Docusaurus' }, TABS_HINT)
    else if (/^[\w:-]+=/.test(token)) this.#readPair(token)
    else if (/^\{.*\}$/.test(token)) this.#readBraces(token)
    else if (/^\[.+\]$/.test(token) && !FLAGS.has(token.slice(1, -1)))
      this.#replace({ written: token, tool: 'VitePress' }, titleOption(token.slice(1, -1)))
    else if (this.#isTextMarker(token))
      this.#replace({ written: token, tool: 'Starlight or Nextra' })
    else this.#kept.push(token)
  }

  /**
   * Checks whether a token in quotes or slashes selects text of the code. It could also be a title.
   */
  #isTextMarker(token: string): boolean {
    if (this.#hasWords || !/^(?:(["']).+\1|\/.+\/)$/.test(token)) return false
    const text = token.slice(1, -1)
    return this.#code().includes(text) || (token.startsWith('/') && /[.*+?()|\\]/.test(text))
  }

  #readBraces(token: string): void {
    const inside = token.slice(1, -1)
    const parts = /^[\d\s,-]*$/.test(inside) ? undefined : readParts(inside)
    if (parts === undefined) this.#kept.push(token)
    else {
      this.#replace({ written: token, tool: 'MkDocs' })
      this.#readList(parts.filter((part) => !part.startsWith('.')))
    }
  }

  #readPair(token: string): void {
    const [key = ''] = token.split('=', 1)
    const text = token.slice(key.length + 1).replaceAll(/^["'{]|["'}]$/g, '')
    const isLines = /^[\d\s,-]+$/.test(text)
    switch (key) {
      case 'linenums':
      case 'startLine':
        this.#replace({ written: token, tool: 'MkDocs or Fern' }, 'lines')
        break
      case 'maxLines':
      case 'collapse':
        this.#replace({ written: token, tool: 'Fern or Starlight' }, 'expandable')
        break
      case 'copy':
        this.#replace({ written: token, tool: 'Nextra' }, text === 'false' ? 'nocopy' : undefined)
        break
      case 'word-wrap':
      case 'wordWrap':
        this.#replace({ written: token, tool: 'Nextra' }, text === 'false' ? undefined : 'wrap')
        break
      case 'mark':
        this.#replace({ written: token, tool: 'Starlight' }, isLines ? `{${text}}` : undefined)
        break
      case 'frame':
        this.#replace({ written: token, tool: 'Starlight' })
        break
      case 'lang':
        // In a diff, `lang` selects the colors of a language, which Octavo does not support.
        if (this.#kept[0] === 'diff') this.#replace({ written: token, tool: 'Starlight' })
        else this.#kept.push(token)
        break
      case 'ins':
      case 'del':
      case 'add':
      case 'remove':
        if (isLines) this.#lose({ written: token, tool: 'Starlight' }, MARK_HINT)
        else this.#replace({ written: token, tool: 'Starlight' })
        break
      case 'exec':
        this.#lose({ written: token, tool: 'MkDocs' }, RUN_HINT)
        break
      default:
        this.#kept.push(token)
    }
  }

  /** Reads the parts of a list such as `{ .py title="…" hl_lines="2 4-5" .annotate }`. */
  #readList(parts: readonly string[]): void {
    const language = parts.find((part) => part.startsWith('.'))
    if (language !== undefined) this.#kept.unshift(language.slice(1))
    if (language === '.textual' || language === '.rich')
      this.#lose({ written: language, tool: 'MkDocs' }, RUN_HINT)
    for (const part of parts) {
      const [key = ''] = part.split('=', 1)
      const value = part.slice(key.length + 1).replaceAll(/^["']|["']$/g, '')
      if (part === '.no-copy') this.#kept.push('nocopy')
      else if (key === 'title') this.#kept.push(titleOption(value))
      else if (key === 'hl_lines') this.#kept.push(`{${value.trim().replaceAll(/\s+/g, ',')}}`)
      else if (key === 'linenums') this.#kept.push('lines')
    }
  }

  #replace(option: Option, put?: string): void {
    this.#first ??= option
    if (put !== undefined) this.#kept.push(put)
  }

  /** Records an option without an equivalent. There is no fix, so the author has to decide. */
  #lose(option: Option, hint: string): void {
    if (this.#isExact) this.#first = { ...option, hint }
    this.#isExact = false
  }
}

function isKnownWord(token: string): boolean {
  return FLAGS.has(token) || WORDS.has(token) || token === 'npm2yarn' || /^[\w:-]+=/.test(token)
}

function titleOption(title: string): string {
  return /^[\w./@-]+$/.test(title) ? title : `title="${title.replaceAll('"', "'")}"`
}
