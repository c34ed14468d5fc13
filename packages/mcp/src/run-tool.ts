/** Runs the tools. Every result is Markdown text of limited length. */
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
import { parsePageAddress, printAddress } from './page-address.ts'
import { readToolInput, type ToolInput } from './read-tool-input.ts'

export type ToolResult = { readonly text: string; readonly isError: boolean }

const SEARCH_RESULTS = 8
/** The number of sections to search for each requested page. */
const SECTIONS_PER_PAGE = 5
/** The maximum number of further sections to list per page. */
const OTHER_SECTIONS_MAX = 3
const GREP_RESULTS = 20
/** The maximum length of a section in search results. */
const EXCERPT_LENGTH = 700
/** The number of characters on each side of a match. */
const CONTEXT_LENGTH = 120
/** The message for an agent if a deployment's files are not as a build writes them. */
export const UNREADABLE_TEXT =
  'The search index of this deployment cannot be read. Its pages are still on the web; the owner has to deploy the site again.'

/** Invalid input is also a result: the agent reads the message and retries. */
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
    case 'report_problem':
      return reportProblem(site, input)
  }
}

/**
 * Returns pages, best first, each with its best section: several sections of one page would hide
 * other pages. Without a limit, the titles of more pages are listed: an agent uses its own words,
 * and may recognize a title that the search ranks low.
 */
async function search(site: DocsSite, input: ToolInput): Promise<ToolResult> {
  const library = await libraryOf(site, input)
  const limit = input.number('limit') ?? SEARCH_RESULTS
  const pagesMax = input.number('limit') ?? TOOL_LIMITS.searchResults
  const found = await library.search(input.text('query') ?? '', pagesMax * SECTIONS_PER_PAGE, {
    // One more character than shown, to detect that the text continues.
    textLengthMax: EXCERPT_LENGTH * 2 + 1,
  })
  if (found.length === 0)
    return success('Nothing was found. Try other words, or `list_pages` to see all pages.')
  const byPage = Map.groupBy(found, ({ section }) => section.page.url)
  const printed = [...byPage.values()].slice(0, limit).flatMap(([best, ...others]) => {
    if (best === undefined) return []
    const { section } = best
    const { page, id, text } = section
    const more = others.slice(0, OTHER_SECTIONS_MAX).map((other) => other.section.headings.at(-1))
    const also = more.filter((heading) => heading !== undefined).map(oneLine)
    return [
      `## ${titleOf(section)}\n${printAddress(site, page.url, id)}\n\n${excerpt(text)}${also.length === 0 ? '' : `\n\nAlso on this page: ${also.join('; ')}`}`,
    ]
  })
  const others = [...byPage.values()].slice(limit, pagesMax).flatMap(([best]) => {
    return best === undefined ? [] : [printPage(site, best.section.page)]
  })
  if (others.length > 0) printed.push(`Other pages that may fit:\n\n${others.join('\n')}`)
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
  return success(note + cutPage(text, input.number('offset') ?? 0))
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
    found.length > limit ? '\n\nThere are more matches: use a longer text or `path`.' : ''
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
  return success(head + cutPage(text, input.number('offset') ?? 0))
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

function oneLine(text: string): string {
  return cleanText(text).replaceAll(/\s+/g, ' ').trim()
}

function excerpt(text: string): string {
  // Limited before cleaning, since sections can be long and cleaning removes little.
  const lengthMax = EXCERPT_LENGTH * 2
  const clean = cleanText(text.slice(0, lengthMax)).trim()
  if (clean.length <= EXCERPT_LENGTH && text.length <= lengthMax) return clean
  const cut = clean.slice(0, EXCERPT_LENGTH).toWellFormed()
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), EXCERPT_LENGTH / 2))} …`
}

/** Returns the text around the first match. */
function matchIn({ text, headings }: LibrarySection, wanted: string): string {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0) return oneLine(headings.at(-1) ?? '')
  const from = Math.max(0, at - CONTEXT_LENGTH)
  const to = at + wanted.length + CONTEXT_LENGTH
  const cut = oneLine(text.slice(from, to))
  return `${from > 0 ? '… ' : ''}${cut}${to < text.length ? ' …' : ''}`
}

/** Returns a part of a page that ends with a line, and the offset of the next part. */
function cutPage(markdown: string, offset: number): string {
  const rest = markdown.slice(offset)
  if (rest === '') return `The page ends at character ${markdown.length}.`
  if (rest.length <= TOOL_LIMITS.pageLength) return rest.toWellFormed()
  const line = rest.lastIndexOf('\n', TOOL_LIMITS.pageLength)
  const length = line > TOOL_LIMITS.pageLength / 2 ? line + 1 : TOOL_LIMITS.pageLength
  const end = offset + length
  return `${rest.slice(0, length).toWellFormed()}\n\n[The page continues: call again with offset ${end}; it has ${markdown.length} characters.]`
}

function success(text: string): ToolResult {
  return { text, isError: false }
}

function failure(text: string): ToolResult {
  return { text, isError: true }
}
