/** Components of other tools that have a different name in Octavo or no equivalent. */

export type ForeignComponent = {
  readonly tool: string
  readonly hint: string
  /**
   * Returns the Octavo tag for attributes that are plain text; undefined if information would be
   * lost.
   */
  readonly write?: (props: ReadonlyMap<string, string>) => string | undefined
  /**
   * True if the `text` attribute becomes the content, which the foreign component does not have.
   */
  readonly hasText?: boolean
}

const CALLOUTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    note: 'Note',
    info: 'Info',
    tip: 'Tip',
    success: 'Check',
    caution: 'Warning',
    warning: 'Warning',
    danger: 'Danger',
  }),
)
const BADGE_COLORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    note: 'blue',
    info: 'gray',
    tip: 'purple',
    success: 'green',
    caution: 'orange',
    warning: 'yellow',
    danger: 'red',
  }),
)

const callout = (tool: string): ForeignComponent => ({
  tool,
  hint: 'Write `<Note>`, `<Tip>`, `<Warning>` or `<Danger>`.',
  write: (props) => {
    const name = CALLOUTS.get(props.get('type') ?? 'note')
    return name === undefined ? undefined : tag(name, props, ['title'])
  },
})
const renamed = (tool: string, name: string, kept: readonly string[]): ForeignComponent => ({
  tool,
  hint: `Write \`<${name}>\`.`,
  write: (props) => tag(name, props, kept),
})
const only = (tool: string, hint: string): ForeignComponent => ({ tool, hint })

const COMPONENTS: ReadonlyMap<string, ForeignComponent> = new Map(
  Object.entries({
    TabItem: {
      tool: 'Docusaurus or Starlight',
      hint: 'Write `<Tab title="…">`.',
      write: (props) => {
        const title = props.get('label') ?? props.get('value')
        return title === undefined
          ? undefined
          : tag('Tab', new Map([...props, ['title', title]]), ['title', 'icon'])
      },
    },
    Aside: callout('Starlight'),
    Admonition: callout('Docusaurus'),
    CardGrid: {
      tool: 'Starlight',
      hint: 'Write `<CardGroup>`.',
      write: () => 'CardGroup cols={2}',
    },
    LinkCard: renamed('Starlight', 'Card', ['title', 'href', 'description', 'icon']),
    LinkButton: only('Starlight', 'Write a link, or `<Card title="…" href="…" />`.'),
    Cards: renamed('Nextra or Fern', 'CardGroup', ['cols']),
    'Cards.Card': renamed('Nextra', 'Card', ['title', 'href', 'icon']),
    CodeBlocks: renamed('Fern', 'CodeGroup', []),
    StepGroup: renamed('Fern', 'Steps', []),
    Success: renamed('Fern', 'Check', ['title', 'icon']),
    Error: renamed('Fern', 'Danger', ['title', 'icon']),
    Launch: only('Fern', 'Write `<Callout icon="rocket">`.'),
    Markdown: only('Fern', "Import the file: `import Part from '/snippets/part.mdx'`."),
    EndpointRequestSnippet: only(
      'Fern',
      'Write `<RequestExample>`, or link to the page of the operation.',
    ),
    EndpointResponseSnippet: only(
      'Fern',
      'Write `<ResponseExample>`, or link to the page of the operation.',
    ),
    DocCardList: only(
      'Docusaurus',
      'Remove it, and set `directory: "card"` on the group in docs.json.',
    ),
    TOCInline: only(
      'Docusaurus',
      'Remove this component: every page has a table of contents at the side.',
    ),
    ThemedImage: only('Docusaurus', 'Write `<Image lightSrc="…" darkSrc="…" alt="…" />`.'),
    PackageManagers: only(
      'Starlight',
      'Write `<CodeGroup>` with a code block for each package manager.',
    ),
    PackageManagerTabs: only(
      'Starlight',
      'Write `<CodeGroup>` with a code block for each package manager.',
    ),
    Picture: only('Starlight', 'Write `<img src="…" alt="…" />`.'),
    Bleed: only('Nextra', 'Remove the tags; the content is shown as it is.'),
    ClientOnly: only('VitePress', 'Remove the tags; the content is shown as it is.'),
    VPTeamMembers: only('VitePress', 'Write a table, or a `<Card>` for each person.'),
  } satisfies Record<string, ForeignComponent>),
)

const BADGE: ForeignComponent = {
  tool: 'Starlight or VitePress',
  hint: 'Write the text between the tags: `<Badge>text</Badge>`.',
  hasText: true,
  write: (props) => {
    const kind = props.get('variant') ?? props.get('type') ?? ''
    const color = BADGE_COLORS.get(kind)
    return color === undefined ? 'Badge' : `Badge color="${color}"`
  },
}
const TABS = only('Nextra', 'Give each `<Tab>` its `title` instead.')

export function isForeignName(name: string): boolean {
  return COMPONENTS.has(name)
}

/**
 * Finds a component of another tool by its name and the names of its attributes. `isImported` is
 * true if the page imports the component from that tool.
 */
export function findForeignComponent(
  name: string,
  attributes: readonly string[],
  isImported = false,
): ForeignComponent | undefined {
  if (name === 'Badge') return attributes.includes('text') ? BADGE : undefined
  if (name === 'Tabs') return attributes.includes('items') ? TABS : undefined
  // Without `type`, `Aside` may be a column next to the text, as in other tools.
  if (name === 'Aside' && !isImported && !attributes.includes('type')) return undefined
  return COMPONENTS.get(name)
}

/** Returns the opening tag without its angle brackets. */
function tag(name: string, props: ReadonlyMap<string, string>, kept: readonly string[]): string {
  const written = kept.flatMap((key) => {
    const value = props.get(key)
    return value === undefined ? [] : [`${key}="${value.replaceAll('"', '&quot;')}"`]
  })
  return [name, ...written].join(' ')
}

type ForeignImport = { readonly tool: string; readonly hint: string }

const PACKAGES: readonly (ForeignImport & { readonly find: RegExp })[] = [
  {
    tool: 'Docusaurus',
    find: /^@(?:theme|theme-original|docusaurus)\//,
    hint: 'Remove the import, and use an Octavo component instead.',
  },
  {
    tool: 'Docusaurus',
    find: /^@site\/|^!!raw-loader!/,
    hint: 'Copy the file into `/snippets` and import it from there. If the file is source code, copy it into a code block.',
  },
  {
    tool: 'Starlight',
    find: /^@astrojs\/|^astro[:/]|^~\/|\.astro$/,
    hint: 'Remove the import, and use an Octavo component instead, or write your own in a `.jsx` file.',
  },
  {
    tool: 'VitePress',
    find: /^vitepress|\.vue$/,
    hint: 'Remove the import, and use an Octavo component instead, or write your own in a `.jsx` file.',
  },
  {
    tool: 'Nextra',
    find: /^nextra(?:-theme-\w+)?(?:\/|$)|^next\//,
    hint: 'Remove the import: write `<img>`, a link, or an Octavo component.',
  },
]

/** Finds the tool that an import is from, by the import's source. */
export function findForeignImport(source: string): ForeignImport | undefined {
  return PACKAGES.find(({ find }) => find.test(source))
}
