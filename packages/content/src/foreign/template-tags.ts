/** Reads tags such as `{% name … %}`: GitBook blocks, and Jinja and Liquid templates. */
import type { Kind, Opening } from './openings.ts'

const TAG = /^\{%-?\s*(@?[\w-]+)(.*?)-?%\}$/
const OPTION = /([\w-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g

type Tag = {
  readonly kind: Kind
  readonly what: string
  readonly hint?: string
  /** False for a tag without a closing tag. */
  readonly hasEnd?: boolean
}

const openapi: Tag = {
  kind: 'other',
  what: 'an API operation',
  hint: 'Make a page with `openapi: "file.json GET /path"` in its frontmatter.',
}
const card: Tag = {
  kind: 'other',
  what: 'a link to a page',
  hint: 'Write `<Card title="…" href="…" horizontal />`.',
}

const GITBOOK: ReadonlyMap<string, Tag> = new Map(
  Object.entries({
    hint: { kind: 'callout', what: 'a callout' },
    tabs: { kind: 'tabs', what: 'a group of tabs' },
    tab: { kind: 'tab', what: 'a tab' },
    code: { kind: 'code', what: 'a list of code options' },
    stepper: { kind: 'steps', what: 'a list of steps' },
    step: { kind: 'step', what: 'a step' },
    columns: { kind: 'columns', what: 'a group of columns' },
    column: { kind: 'column', what: 'a column' },
    'content-ref': card,
    'page-ref': { ...card, hasEnd: false },
    swagger: openapi,
    openapi,
    'openapi-operation': openapi,
    'openapi-schemas': openapi,
    'api-method': openapi,
    embed: {
      kind: 'other',
      what: 'an embedded page',
      hint: 'Write an `<iframe src="…" />` for a video, or a link.',
      hasEnd: false,
    },
    file: {
      kind: 'other',
      what: 'a file to download',
      hint: 'Write a link to the file.',
      hasEnd: false,
    },
    include: {
      kind: 'other',
      what: 'an included file',
      hint: "Import it as a snippet: `import Part from '/snippets/part.mdx'`.",
      hasEnd: false,
    },
    updates: {
      kind: 'other',
      what: 'a list of changes',
      hint: 'Write an `<Update label="…">` for each change.',
    },
    update: { kind: 'other', what: 'a change', hint: 'Write `<Update label="…">`.' },
  } satisfies Record<string, Tag>),
)

const WITHOUT_END: ReadonlySet<string> = new Set(
  'else elif elsif set import extends include_relative include meta badge icon image cloudinary assign'.split(
    ' ',
  ),
)

/** Checks whether a line consists of exactly one tag. */
function isTagLine(text: string): boolean {
  return text.startsWith('{%') && text.indexOf('%}') === text.length - 2
}

/** Returns the name of the block that a line closes. */
export function endedBy(text: string): string | undefined {
  return text.startsWith('{%') ? /^\{%-?\s*end([\w-]+)/.exec(text)?.[1] : undefined
}

/**
 * Reads a line that consists of one tag. `endOf` returns whether the page closes a tag of this
 * name.
 */
export function readTemplateTag(
  text: string,
  endOf: (name: string) => boolean,
): Opening | undefined {
  if (!isTagLine(text)) return undefined
  const [, written = '', rest = ''] = TAG.exec(text) ?? []
  if (written === '') return undefined
  const options = new Map(
    [...rest.matchAll(OPTION)].map(([, key = '', double, single, bare]) => [
      key,
      double ?? single ?? bare ?? '',
    ]),
  )
  const known = GITBOOK.get(written)
  const closes = (line: string) => endedBy(line) === written
  const isPaired =
    known === undefined ? !WITHOUT_END.has(written) && endOf(written) : known.hasEnd !== false
  const body = isPaired || endOf(written) ? { closes } : ('none' as const)
  const tool = known === undefined ? 'a template language' : 'GitBook'
  if (known === undefined) {
    const hint = 'Octavo does not run templates. Write the result, or use a component.'
    return { tool, what: 'a tag', kind: 'other', name: written, options, hint, body }
  }
  const name = written === 'hint' ? (options.get('style') ?? 'info') : written
  const title = options.get('title')
  const { kind, what, hint } = known
  return { tool, what, kind, name, title, options, body, ...(hint !== undefined && { hint }) }
}
