/** Reads lines that begin a block in another tool. */

export type Kind =
  | 'callout'
  | 'details'
  | 'tab'
  | 'tabs'
  | 'code-group'
  | 'code'
  | 'steps'
  | 'step'
  | 'columns'
  | 'column'
  | 'content'
  | 'other'

export type Opening = {
  readonly tool: string
  /** The name of the block in messages, with an article, such as "a callout". */
  readonly what: string
  readonly kind: Kind
  /** The type of a callout as written, in lower case. */
  readonly name: string
  readonly title?: string | undefined
  readonly isOpen?: boolean
  readonly options?: ReadonlyMap<string, string>
  /** The replacement to suggest for a block without an exact equivalent. */
  readonly hint?: string
  /** How the block ends: with a closing line, with the indentation, or immediately. */
  readonly body: { readonly closes: (text: string) => boolean } | 'indented' | 'none'
}

/**
 * Reads a trimmed line; returns undefined if it does not begin a block. `next` is the line below.
 */
export function readOpening(text: string, next: string): Opening | undefined {
  const first = text.charAt(0)
  if (first === ':') return readColons(text, next)
  if (first === '!' || first === '?') return readAdmonition(text, next)
  if (first === '=') return readTab(text)
  if (first === '/') return readSlashes(text)
  return undefined
}

const COLONS = /^(:{3,})[ \t]*([\p{L}_][\p{L}\p{N}_.-]*)(.*)$/u
const COLON_TOOLS = 'Docusaurus, Starlight or VitePress'

function readColons(text: string, next: string): Opening | undefined {
  const [, signs = '', written = '', rest = ''] = COLONS.exec(text) ?? []
  if (signs === '' || rest.trimEnd().endsWith(':')) return undefined
  if (/\w\.\w/.test(written) || /^\s+:\w+:/.test(next)) return apiBlock(written)
  const name = written.toLowerCase()
  const title = titleOf(rest)
  const tool = COLON_TOOLS
  const closes = (line: string) => line.length >= signs.length && /^:+$/.test(line)
  const body = { closes }
  switch (name) {
    case 'details': {
      const isOpen = /\{\s*open\s*\}$/.test(rest.trim())
      return { tool, what: 'a foldable block', kind: 'details', name, title, isOpen, body }
    }
    case 'code-group':
      return { tool: 'VitePress', what: 'a group of code blocks', kind: 'code-group', name, body }
    case 'raw':
    case 'v-pre':
      return { tool: 'VitePress', what: 'a container', kind: 'content', name, body }
    case 'tabs':
    case 'tab': {
      const hint = 'Write `<Tabs>` with a `<Tab title="…">` for each tab.'
      return { tool, what: 'a group of tabs', kind: 'other', name, hint, body }
    }
    default: {
      if (CALLOUTS.has(name)) return { tool, what: 'a callout', kind: 'callout', name, title, body }
      const hint = 'Write a component instead, such as `<Note>` and `</Note>` around the text.'
      return { tool, what: 'a container', kind: 'other', name, hint, body }
    }
  }
}

function apiBlock(name: string): Opening {
  return {
    tool: 'mkdocstrings',
    what: 'generated documentation of code',
    kind: 'other',
    name,
    hint: 'Octavo does not read source code. Write the reference into the page, or link to it.',
    body: 'indented',
  }
}

/** Returns the title in `[Title]{…}` or ` Title {…}`. */
function titleOf(rest: string): string | undefined {
  const text = rest.replace(/\{[^{}]*\}\s*$/, '').trim()
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  return inner.trim() === '' ? undefined : inner.trim()
}

const ADMONITION = /^(!!!|\?\?\?\+?) ?([\w-]+(?: +[\w-]+)*) *(?:"(.*)")?$/

function readAdmonition(text: string, next: string): Opening | undefined {
  const [, sign, types = '', title] = ADMONITION.exec(text) ?? []
  if (sign === undefined) return undefined
  const [name = ''] = types.toLowerCase().split(' ')
  // An emphasized sentence such as "!!! Read this first" is not an admonition.
  const isIntended =
    title !== undefined || /^(?: {4}|\t)/.test(next) || CALLOUTS.has(types.toLowerCase())
  if (!isIntended) return undefined
  const shared = {
    tool: 'MkDocs',
    name,
    title: withVersion(name, title),
    body: 'indented',
  } as const
  return sign === '!!!'
    ? { ...shared, what: 'a callout', kind: 'callout' }
    : { ...shared, what: 'a foldable block', kind: 'details', isOpen: sign === '???+' }
}

const TAB = /^===[!+]{0,2} +(?:"(.+)"|'(.+)')$/

function readTab(text: string): Opening | undefined {
  const [, double, single] = TAB.exec(text) ?? []
  const title = double ?? single
  if (title === undefined) return undefined
  return { tool: 'MkDocs', what: 'a tab', kind: 'tab', name: 'tab', title, body: 'indented' }
}

const SLASHES = /^(\/{3,}) *([\w-]+) *(?:\|(.*))?$/

function readSlashes(text: string): Opening | undefined {
  const [, signs, written = '', title] = SLASHES.exec(text) ?? []
  if (signs === undefined) return undefined
  const name = written.toLowerCase()
  const closes = (line: string) => line === signs
  const shared = { tool: 'MkDocs', name, title: withVersion(name, title), body: { closes } }
  if (name === 'tab') return { ...shared, what: 'a tab', kind: 'tab' }
  if (name === 'details') return { ...shared, what: 'a foldable block', kind: 'details' }
  if (CALLOUTS.has(name)) return { ...shared, what: 'a callout', kind: 'callout' }
  // `/// text` may be a comment in code. Only a line with a known name or a title begins a block.
  if (name.endsWith('caption')) {
    const hint = 'Put the image or table into `<Frame caption="…">`.'
    return { ...shared, what: 'a caption', kind: 'other', hint }
  }
  return title === undefined ? undefined : { ...shared, what: 'a callout', kind: 'callout' }
}

/**
 * Returns the title. For `version-added | v2`, it includes the type, since the component has no
 * such type.
 */
function withVersion(name: string, title: string | undefined): string | undefined {
  const written = title?.trim() || undefined
  if (written === undefined || !/^(?:version-|deprecated)/.test(name)) return written
  const type = name.replaceAll('-', ' ')
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}: ${written}`
}

/** The component for each type of callout. */
const COMPONENT_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Note: 'note seealso secondary version-added version-changed deprecated deprecated-removed version-removed',
    Info: 'info information important abstract summary tldr todo',
    Tip: 'tip hint',
    Check: 'success check done',
    Warning: 'warning warn caution attention',
    Danger: 'danger error failure fail missing bug',
    'Callout type="info" icon="circle-question"': 'question help faq',
    'Callout icon="flask"': 'example',
    quote: 'quote cite',
  }).flatMap(([component, names]) => names.split(' ').map((name) => [name, component] as const)),
)

const CALLOUTS: ReadonlySet<string> = new Set(COMPONENT_OF.keys())

export function componentOf(name: string): string {
  return COMPONENT_OF.get(name) ?? 'Callout'
}
