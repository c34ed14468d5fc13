/**
 * Lists of readers' activity. Each is a card with its first ten entries, and a page with all
 * entries.
 */
import {
  NotFoundList,
  ReadList,
  ReferrerList,
  SearchList,
  UnreadPageList,
  UseList,
  ViewList,
} from '@octavo/contract'
import { copyButton } from '../../parts/code-sample.ts'
import type { EntryPage } from '../../parts/csv-download.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { pageLink } from '../../parts/link.ts'
import { countText } from '../../parts/number.ts'
import { type Cell, type Row, type Table, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths, type Query } from '../../visit/api-paths.ts'
import { readApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

type About = {
  /** The last path segment of the list's page. */
  readonly id: string
  readonly title: string
  readonly lead: HtmlPart
  /** A hint that is shown next to the title of the card. */
  readonly hint?: HtmlPart
  readonly empty: readonly [title: string, text: string]
}

export type AnalyticsList = About & {
  readonly pathOf: (screen: ProjectScreen, query: Query) => string
  readonly read: (screen: ProjectScreen, query: Query) => Promise<ListPart>
  /** Returns the entries as the API sends them. */
  readonly readEntries: (screen: ProjectScreen, query: Query) => Promise<EntryPage>
}

/** A page of a list. The body is its table; undefined if the list is empty. */
type ListPart = { readonly body: Html | undefined; readonly nextCursor: string | null }

type Source<Reply> = {
  readonly schema: { parse(value: unknown): Reply }
  readonly path: string
  readonly query?: Query
  readonly columns: Table['columns']
  readonly className?: string
  readonly rows: (reply: Reply, screen: ProjectScreen) => readonly Row[]
}

function createList<Reply extends { readonly nextCursor: string | null }>(
  about: About,
  { schema, path, query: own, columns, className = '', rows }: Source<Reply>,
): AnalyticsList {
  const pathOf = ({ project }: ProjectScreen, query: Query) =>
    apiPaths.analytics(project.id, path, { ...own, ...query })
  return {
    ...about,
    pathOf,
    async read(screen, query) {
      const reply = await readApi(screen.visit.api, schema, pathOf(screen, query))
      const shown = rows(reply, screen)
      const body =
        shown.length === 0
          ? undefined
          : table({ caption: about.title, className: `ranked ${className}`, columns, rows: shown })
      return { body, nextCursor: reply.nextCursor }
    },
    async readEntries(screen, query) {
      const reply = await readApi(screen.visit.api, schema, pathOf(screen, query))
      const entries = Object.values(reply).find((value) => Array.isArray(value)) ?? []
      return { entries, nextCursor: reply.nextCursor }
    },
  }
}

/** The name that the API uses for all pages beyond the hourly limit of distinct pages. */
const OTHER = '(other)'

const lead = (content: HtmlPart): Cell => ({ content, isLead: true })
const number = (label: string, count: number): Cell => ({
  content: countText(count),
  isEnd: true,
  label,
})
const text = (words: string) => html`<span class="main">${words}</span>`
const other = () =>
  html`<span class="main">Others</span><div class="sub">Everything beyond the first 1,000 per hour</div>`
const pageCell = (path: string, { site }: ProjectScreen) =>
  lead(path === OTHER ? other() : pageLink(path, site.url))

const BY_AUDIENCE: Table['columns'] = [
  { label: 'People', isEnd: true },
  { label: 'Agents', isEnd: true },
]

export const PAGES = createList(
  {
    id: 'pages',
    title: 'Top pages',
    lead: 'How often each page was read, most-read pages first.',
    empty: ['No page views', 'Pages that people and agents read most often appear here.'],
  },
  {
    schema: ViewList,
    path: '/views',
    columns: [{ label: 'Page' }, ...BY_AUDIENCE, { label: 'Total', isEnd: true }],
    rows: ({ views }, screen) =>
      views.map(({ path, human, ai, total }) => ({
        cells: [
          pageCell(path, screen),
          number('People', human),
          number('Agents', ai),
          number('Total', total),
        ],
      })),
  },
)

const AGENT_READS = createList(
  {
    id: 'agents',
    title: 'What agents read',
    lead: html`Pages, files such as <code>llms.txt</code> and tools of the MCP server, most read first.`,
    empty: ['No reads by agents', 'Pages, files and tools that agents use appear here.'],
  },
  {
    schema: ReadList,
    path: '/reads',
    query: { by: 'agents' },
    columns: [
      { label: 'What' },
      { label: 'Count', isEnd: true },
      { label: 'Previous period', isEnd: true },
    ],
    rows: ({ reads }, screen) =>
      reads.map(({ event, name, count, before }) => ({
        cells: [
          event === 'mcp' ? lead(text(readLabel({ event, name }))) : pageCell(name, screen),
          number('Count', count),
          number('Previous period', before),
        ],
      })),
  },
)

/** Returns the label of a page, a file for agents, or a tool of the MCP server. */
export function readLabel({ event, name }: Pick<Read, 'event' | 'name'>): string {
  if (name === OTHER) return 'Other pages'
  return event === 'mcp' ? `MCP: ${name}` : name
}

const UNREAD = createList(
  {
    id: 'unread',
    title: 'Pages without views',
    lead: 'Pages of the live site that neither people nor agents read in this period. Redirects are not listed.',
    empty: ['No unread pages', 'Every page of the live site was read in this period.'],
  },
  {
    schema: UnreadPageList,
    path: '/unread-pages',
    columns: [{ label: 'Page' }],
    rows: ({ pages }, screen) => pages.map(({ path }) => ({ cells: [pageCell(path, screen)] })),
  },
)

export const SEARCHES = createList(
  {
    id: 'searches',
    title: 'Searches',
    lead: 'What readers typed into the search, most frequent first. “Opened” is the number of opened results per search; the page is the result that readers opened most.',
    empty: ['No searches', 'What readers search for appears here.'],
  },
  {
    schema: SearchList,
    path: '/searches',
    columns: [
      { label: 'Search' },
      { label: 'Count', isEnd: true },
      { label: 'Opened', isEnd: true },
    ],
    rows: ({ searches }, { site, now }) =>
      searches.map(({ searchQuery, hits, empty, ctr, topClickedPage, lastSearchedAt }) => ({
        cells: [
          lead(
            html`
              ${text(searchQuery)}
              <div class="sub">
                ${
                  topClickedPage !== undefined &&
                  html`<span class="cut">${pageLink(topClickedPage, site.url, 'link mono')}</span>`
                }
                ${empty > 0 && html`<span>${countText(empty)} without result</span>`}
                <span>${timeTag(lastSearchedAt, now)}</span>
              </div>
            `,
          ),
          number('Count', hits),
          { content: `${Math.round(ctr * 100)}%`, isEnd: true, label: 'Opened' },
        ],
      })),
  },
)

export const EMPTY_SEARCHES = createList(
  {
    id: 'empty-searches',
    title: 'Searches without results',
    lead: 'What readers searched for and did not find. Use these words on the page with the answer, or write a new page.',
    empty: ['No searches without results', 'Searches that find no page appear here.'],
  },
  {
    schema: SearchList,
    path: '/searches',
    query: { empty: 'true' },
    columns: [
      { label: 'Search' },
      { label: 'Without results', isEnd: true },
      { label: 'Searches', isEnd: true },
    ],
    rows: ({ searches }, { now }) =>
      searches.map(({ searchQuery, hits, empty, lastSearchedAt }) => ({
        cells: [
          lead(html`${text(searchQuery)}<div class="sub">${timeTag(lastSearchedAt, now)}</div>`),
          number('Without results', empty),
          number('Searches', hits),
        ],
      })),
  },
)

export const NOT_FOUND = createList(
  {
    id: 'not-found',
    title: 'Broken links (404)',
    lead: html`
      Addresses that people and agents opened but that have no page. Copy a line into <code>redirects</code> of
      docs.json. The <code>destination</code> is the page with the most similar name: check that it is correct.
    `,
    hint: html`Lines for <code>redirects</code> in docs.json; check the <code>destination</code>`,
    empty: [
      'No broken links',
      'Addresses that people and agents open but that have no page appear here.',
    ],
  },
  {
    schema: NotFoundList,
    path: '/not-found',
    className: 'broken',
    columns: [
      { label: 'Address' },
      { label: 'Redirect' },
      ...BY_AUDIENCE,
      { label: 'Last opened', isEnd: true },
    ],
    rows: ({ notFound }, { now }) =>
      notFound.map(({ path, human, ai, lastSeenAt, suggestion }, index) => ({
        cells: [
          lead(path === OTHER ? other() : html`<span class="main mono">${path}</span>`),
          {
            content: path !== OTHER && redirectLine({ path, suggestion }, `redirect-${index + 1}`),
            className: 'fix',
          },
          number('People', human),
          number('Agents', ai),
          { content: timeTag(lastSeenAt, now), isEnd: true, className: 'muted', label: 'Last' },
        ],
      })),
  },
)

/**
 * Renders a redirect to copy. An empty destination is for the owner to fill in: `octavo check`
 * reports it.
 */
function redirectLine(
  { path: source, suggestion }: { path: string; suggestion?: string | undefined },
  id: string,
): Html {
  const line = `{ "source": ${JSON.stringify(source)}, "destination": ${JSON.stringify(suggestion ?? '')} }`
  return html`
    <div class="redirect">
      <code id="${id}">${line}</code>
      ${copyButton(id, `Copy the redirect for ${source}`)}
    </div>
    ${suggestion === undefined && html`<div class="sub">No page has a similar name. Enter the destination.</div>`}
  `
}

export const REFERRERS = createList(
  {
    id: 'referrers',
    title: 'Referrers',
    lead: 'Sites that people came from. Only the host name is stored, and many sites do not send it.',
    empty: ['No referrers', 'Sites that people come from appear here.'],
  },
  {
    schema: ReferrerList,
    path: '/referrers',
    columns: [{ label: 'Site' }, { label: 'Views', isEnd: true }],
    // Referrers are not shown as links, since referrer spam relies on owners following them.
    rows: ({ referrers }) =>
      referrers.map(({ host, views }) => ({ cells: [lead(text(host)), number('Views', views)] })),
  },
)

type Read = ReturnType<typeof ReadList.parse>['reads'][number]
type Use = ReturnType<typeof UseList.parse>['uses'][number]

const KINDS: Readonly<Record<Use['event'], string>> = {
  mcp: 'MCP tool',
  file: 'File',
  playground: 'Playground',
}
const DETAILS: Readonly<Record<Use['event'], Readonly<Record<string, string>>>> = {
  mcp: { success: 'answered', error: 'refused or failed' },
  file: {
    people: 'by people',
    agents: 'by agents',
    bots: 'by search engines and other programs',
  },
  playground: {
    success: 'success (2xx, 3xx)',
    'client-error': 'client error (4xx)',
    'server-error': 'server error (5xx)',
    failed: 'no answer',
  },
}

export const USES = createList(
  {
    id: 'uses',
    title: 'Agent and playground activity',
    lead: 'MCP tool calls, files that agents read, and requests from playgrounds, by outcome.',
    empty: [
      'No activity yet',
      'Tool calls, files that agents read, and playground requests appear here.',
    ],
  },
  {
    schema: UseList,
    path: '/uses',
    columns: [{ label: 'What' }, { label: 'Count', isEnd: true }],
    rows: ({ uses }) => uses.map((use) => useRow(use, `${KINDS[use.event]}, `)),
  },
)

export function useTable(uses: readonly Use[], caption: string): Html {
  return table({
    caption,
    className: 'ranked',
    columns: [{ label: 'What' }, { label: 'Count', isEnd: true }],
    rows: uses.map((use) => useRow(use, '')),
  })
}

function useRow({ event, name, detail, count }: Use, kind: string): Row {
  return {
    cells: [
      lead(
        html`<span class="main mono">${name}</span><div class="sub">${kind}${DETAILS[event][detail] ?? detail}</div>`,
      ),
      number('Count', count),
    ],
  }
}

export const ALL_LISTS: readonly AnalyticsList[] = [
  PAGES,
  AGENT_READS,
  UNREAD,
  SEARCHES,
  EMPTY_SEARCHES,
  NOT_FOUND,
  REFERRERS,
  USES,
]
