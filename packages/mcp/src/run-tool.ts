/** Runs the tools. Every result is Markdown of limited length. */
import { cleanText } from '@octavo/model'
import {
  type LibraryPage,
  type LibrarySection,
  readMarkdown,
  type SiteLibrary,
  UnreadableIndex,
} from '@octavo/search'
import type { DocsSite } from './docs-site.ts'
import { type DocsTool, TOOL_LIMITS } from './docs-tools.ts'
import { oneLine } from './one-line.ts'
import { parsePageAddress, printAddress } from './page-address.ts'
import { parseSince, printChanges, printNoDeployment } from './print-changes.ts'
import { readToolInput, type ToolInput } from './read-tool-input.ts'

export type ToolResult = { readonly text: string; readonly isError: boolean }

const SEARCH_RESULTS = 8
/** The number of sections to request for each page in the result. */
const SECTIONS_PER_PAGE = 5
/** The maximum number of further sections that are listed for each page. */
const OTHER_SECTIONS_MAX = 3
const GREP_RESULTS = 20
/** How many characters to show before and after a match. */
const CONTEXT_LENGTH = 120
/** The message for an agent if the search index of a deployment cannot be read. */
export const UNREADABLE_TEXT =
  'The search index of this deployment cannot be read. Its pages are still on the web; the owner has to deploy the site again.'

/**
 * Runs a tool call. Invalid input also leads to a result, so that the agent can read its message
 * and try again.
 */
export async function runTool(site: DocsSite, tool: DocsTool, given: unknown): Promise<ToolResult> {
  const input = readToolInput(tool, given)
  const result = typeof input === 'string' ? failure(input) : await runReadable(site, tool, input)
  site.onCall?.(tool.name, result.isError ? 'error' : 'success')
  return result
}

async function runReadable(site: DocsSite, tool: DocsTool, input: ToolInput): Promise<ToolResult> {
  try {
    return await run(site, tool, input)
  } catch (error) {
    if (error instanceof UnreadableIndex) return failure(UNREADABLE_TEXT)
    throw error
  }
}

function run(site: DocsSite, tool: DocsTool, input: ToolInput): Promise<ToolResult> {
  switch (tool.name) {
    case 'search_docs':
      return search(site, input)
    case 'read_page':
      return readPage(site, input)
    case 'grep_docs':
      return grep(site, input)
    case 'list_pages':
      return listPages(site, input)
    case 'get_operation':
      return getOperation(site, input)
    case 'what_changed':
      return whatChanged(site, input)
    case 'report_problem':
      return reportProblem(site, input)
  }
}

/**
 * Returns the best pages, each with its best section only, since several sections of one page would
 * displace other pages. If the agent sets no limit, the titles of more pages follow: agents use
 * their own words, and may recognize a title that the search ranked low.
 */
async function search(site: DocsSite, input: ToolInput): Promise<ToolResult> {
  const library = await libraryOf(site, input)
  const query = input.text('query') ?? ''
  const limit = input.number('limit') ?? SEARCH_RESULTS
  const pagesMax = input.number('limit') ?? TOOL_LIMITS.searchResults
  const { matches } = await library.findMatches(query, { limit, onePerPage: true })
  if (matches.length === 0)
    return success('Nothing was found. Try other words, or `list_pages` to see all pages.')
  const found = await library.search(query, pagesMax * SECTIONS_PER_PAGE, { textLengthMax: 0 })
  const byPage = Map.groupBy(found, ({ section }) => section.page.url)
  const printed = matches.map(({ url, title, text }) => {
    const [page = '', id = ''] = url.split('#')
    const others = (byPage.get(page) ?? []).filter(({ section }) => section.id !== id)
    const more = others.slice(0, OTHER_SECTIONS_MAX).map((other) => other.section.headings.at(-1))
    const also = more.filter((heading) => heading !== undefined).map(oneLine)
    return [
      `## ${title.split(' › ').map(oneLine).join(' > ')}\n${printAddress(site, page, id)}`,
      cleanText(text),
      ...(also.length === 0 ? [] : [`Also on this page: ${also.join('; ')}`]),
    ].join('\n\n')
  })
  const shown = new Set(matches.map(({ url }) => url.replace(/#.*/, '')))
  const rest = [...byPage.values()].flatMap(([best]) => best?.section.page ?? [])
  const others = rest.filter(({ url }) => !shown.has(url)).slice(0, pagesMax - matches.length)
  if (others.length > 0)
    printed.push(
      `Other pages that may be relevant:\n\n${others.map((page) => printPage(site, page)).join('\n')}`,
    )
  return success(printed.join('\n\n'))
}

async function readPage(site: DocsSite, input: ToolInput): Promise<ToolResult> {
  const written = input.text('url') ?? ''
  const address = parsePageAddress(site, written)
  if (address === undefined)
    return failure(
      `This URL is not part of the documentation of ${site.name}. Its pages are listed by \`list_pages\`.`,
    )
  const { path, fragment } = address
  const section =
    fragment === ''
      ? undefined
      : await (await libraryOf(site, input)).read(`${encodeURI(path)}#${fragment}`)
  const text = section ?? (await readMarkdown(site.deployment, site.reader, fileOf(path)))
  if (text === undefined) return failure(await missingPage(site, input, path))
  const note =
    fragment !== '' && section === undefined
      ? `The page has no section "${fragment}"; this is the whole page.\n\n`
      : ''
  return success(note + cutPage(text, input.number('offset') ?? 0, TOOL_LIMITS.pageLength))
}

async function missingPage(site: DocsSite, input: ToolInput, path: string): Promise<string> {
  const { nearest } = await (await libraryOf(site, input)).findPage(path)
  const hint =
    nearest === undefined
      ? 'Use `search_docs` or `list_pages` to find it.'
      : `Did you mean ${nearest}?`
  return `There is no page at ${path}. ${hint}`
}

async function grep(site: DocsSite, input: ToolInput): Promise<ToolResult> {
  const wanted = input.text('text') ?? ''
  const library = await libraryOf(site, input)
  const limit = input.number('limit') ?? GREP_RESULTS
  const found = await library.grep(wanted, { limit: limit + 1, under: input.text('path') })
  if (found.length === 0) return success('No section contains this text.')
  const lines = found.slice(0, limit).map((section) => {
    const address = printAddress(site, section.page.url, section.id)
    return `- ${address} (${titleOf(section)})\n  ${matchIn(section, wanted)}`
  })
  const more =
    found.length > limit
      ? '\n\nThere are more matches: search for a longer text, or limit the search with `path`.'
      : ''
  return success(lines.join('\n') + more)
}

async function listPages(site: DocsSite, input: ToolInput): Promise<ToolResult> {
  const library = await libraryOf(site, input)
  const offset = input.number('offset') ?? 0
  const { pages: shown, total } = await library.pages({
    under: input.text('path'),
    from: offset,
    limit: TOOL_LIMITS.pagesPerList,
  })
  if (shown.length === 0) return success('There are no such pages.')
  const lines = shown.map((page) => printPage(site, page))
  const end = offset + shown.length
  const rest = total - end
  const more = rest > 0 ? `\n\n${rest} more pages: call again with offset ${end}.` : ''
  return success(lines.join('\n') + more)
}

function printPage(site: DocsSite, { title, url, description }: LibraryPage): string {
  const about = description === '' ? '' : `: ${oneLine(description)}`
  return `- [${oneLine(title)}](${printAddress(site, url)})${about}`
}

async function getOperation(site: DocsSite, input: ToolInput): Promise<ToolResult> {
  const [method = '', ...rest] = (input.text('operation') ?? '').split(/\s+/)
  const wanted = `${method.toUpperCase()} ${rest.join(' ')}`
  const library = await libraryOf(site, input)
  const { page, similar } = await library.findOperation(wanted)
  if (similar.length === 0) return failure('This documentation has no API reference.')
  const text = page && (await library.read(page.url))
  if (page === undefined || text === undefined)
    return failure(
      `There is no operation "${wanted.trim()}". Similar operations:\n- ${similar.join('\n- ')}`,
    )
  const head = `${printAddress(site, page.url)}\n\n`
  return success(head + cutPage(text, input.number('offset') ?? 0, TOOL_LIMITS.operationLength))
}

async function whatChanged(site: DocsSite, input: ToolInput): Promise<ToolResult> {
  const since = parseSince(input.text('since') ?? '')
  if (since === undefined)
    return failure(
      'Invalid argument "since": expected the number of a deployment, such as 12, or a date, such as 2026-01-31 or 2026-01-31T09:00Z.',
    )
  const found = await site.findChanges?.(since)
  if (found === undefined) return failure('This site has no earlier deployments.')
  return 'oldest' in found
    ? failure(printNoDeployment(found))
    : success(printChanges(site, found, since))
}

async function reportProblem(site: DocsSite, input: ToolInput): Promise<ToolResult> {
  const url = input.text('url')
  const address = url === undefined ? undefined : parsePageAddress(site, url)
  if (url !== undefined && address === undefined)
    return failure('The URL is not part of this documentation.')
  await site.reportProblem?.({ page: address?.path, problem: input.text('problem') ?? '' })
  return success('Thank you. The owner of the documentation will see the report.')
}

function libraryOf(site: DocsSite, input: ToolInput): Promise<SiteLibrary> {
  return site.openLibrary(input.text('scope'))
}

function fileOf(path: string): string {
  return path === '/' ? 'index' : path.slice(1)
}

function titleOf({ page, headings }: LibrarySection): string {
  return [page.title, ...headings].map(oneLine).join(' > ')
}

/** Returns the first match and the text around it. */
function matchIn({ text, headings }: LibrarySection, wanted: string): string {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0) return oneLine(headings.at(-1) ?? '')
  const from = Math.max(0, at - CONTEXT_LENGTH)
  const to = at + wanted.length + CONTEXT_LENGTH
  const cut = oneLine(text.slice(from, to))
  return `${from > 0 ? '… ' : ''}${cut}${to < text.length ? ' …' : ''}`
}

/**
 * Returns a part of a page, which ends at the end of a line if possible. If there is more, the text
 * ends with the offset of the next part.
 */
function cutPage(markdown: string, offset: number, lengthMax: number): string {
  const rest = markdown.slice(offset)
  if (rest === '') return `The page ends at character ${markdown.length}.`
  if (rest.length <= lengthMax) return rest.toWellFormed()
  const line = rest.lastIndexOf('\n', lengthMax)
  const length = line > lengthMax / 2 ? line + 1 : lengthMax
  const end = offset + length
  return `${rest.slice(0, length).toWellFormed()}\n\n[The page continues: call again with offset ${end}; it has ${markdown.length} characters.]`
}

function success(text: string): ToolResult {
  return { text, isError: false }
}

function failure(text: string): ToolResult {
  return { text, isError: true }
}
