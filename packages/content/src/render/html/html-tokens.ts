/** HTML as a flat list of tags, texts and comments. It never fails: what is no tag is text. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'open'
      readonly tag: string
      readonly attributes: readonly (readonly [string, string | true])[]
      readonly isClosed: boolean
      readonly offset: number
    }
  | { readonly kind: 'close'; readonly tag: string }

const TAG = /<(\/?)([a-zA-Z][\w:.-]*)((?:[^>"']|"[^"]*"|'[^']*'){0,4000})>/y
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
const RAW = /^(?:script|style|textarea|title|xmp|noembed|noframes|plaintext)$/i

/** Splits a piece of HTML. Comments, doctypes and processing instructions are dropped. */
export function readHtmlTokens(html: string): readonly HtmlToken[] {
  const tokens: HtmlToken[] = []
  let index = 0
  while (index < html.length) {
    const open = html.indexOf('<', index)
    if (open < 0) {
      pushText(tokens, html.slice(index))
      break
    }
    if (open > index) pushText(tokens, html.slice(index, open))
    index = readMarkup(html, open, tokens)
  }
  return tokens
}

/** Reads what begins with `<` and returns where it ends. */
function readMarkup(html: string, open: number, tokens: HtmlToken[]): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4)
  if (/^<[!?]/.test(html.slice(open, open + 2))) return after(html, '>', open)
  TAG.lastIndex = open
  const match = TAG.exec(html)
  if (match === null) {
    pushText(tokens, '<')
    return open + 1
  }
  const [whole, slash, tag = '', rest = ''] = match
  const end = open + whole.length
  if (slash === '/') {
    tokens.push({ kind: 'close', tag })
    return end
  }
  tokens.push({
    kind: 'open',
    tag,
    attributes: readAttributes(rest),
    isClosed: rest.endsWith('/'),
    offset: open,
  })
  return RAW.test(tag) && !rest.endsWith('/') ? readRaw(html, { end, tag, tokens }) : end
}

/** The content of `<script>` and its like is text up to its closing tag, whatever it holds. */
function readRaw(
  html: string,
  {
    end,
    tag,
    tokens,
  }: { readonly end: number; readonly tag: string; readonly tokens: HtmlToken[] },
): number {
  const closing = new RegExp(`</${tag}`, 'gi')
  closing.lastIndex = end
  const close = closing.exec(html)?.index
  if (close === undefined) {
    pushText(tokens, html.slice(end))
    return html.length
  }
  if (close > end) tokens.push({ kind: 'text', text: html.slice(end, close) })
  return close
}

function readAttributes(rest: string): readonly (readonly [string, string | true])[] {
  if (rest.trim() === '') return []
  return [...rest.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => {
    const value = double ?? single ?? bare
    return [name, value === undefined ? true : decodeEntities(value)] as const
  })
}

function after(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from)
  return found < 0 ? html.length : found + end.length
}

function pushText(tokens: HtmlToken[], text: string): void {
  if (text !== '') tokens.push({ kind: 'text', text: decodeEntities(text) })
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  middot: '·',
  times: '×',
  rarr: '→',
  larr: '←',
  uarr: '↑',
  darr: '↓',
  check: '✓',
  laquo: '«',
  raquo: '»',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  zwnj: '\u200c',
  zwj: '\u200d',
  deg: '°',
  euro: '€',
  lbrace: '{',
  rbrace: '}',
  lcub: '{',
  rcub: '}',
  ge: '≥',
  le: '≤',
  ne: '≠',
  plusmn: '±',
}

/** The entities that authors write; an unknown one stays as it is. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined)
        return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : '\ufffd'
    },
  )
}
