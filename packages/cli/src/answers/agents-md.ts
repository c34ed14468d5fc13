/**
 * `octavo agents-md`: prints an index of the documentation for the AGENTS.md of a project that uses
 * it. Agents load AGENTS.md in every session, so the index is short: pages that do not fit are
 * summarized by folder.
 */
import { type LibraryPage, openLibrary } from '@octavo/search'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import {
  type DeploymentOptions,
  FOLDER_READER,
  openDeployment,
  readSiteName,
} from './open-site-library.ts'

export type AgentsMdOptions = DeploymentOptions & {
  /** The site's URL, with a trailing slash. */
  readonly url: string | undefined
}

export const AGENTS_MD_BYTES_MAX = 8 * 1024

export async function printAgentsMd(
  world: CommandContext,
  options: AgentsMdOptions,
): Promise<ExitCode> {
  const deployment = await openDeployment(world, options)
  if (typeof deployment === 'string') {
    world.err.write(`octavo: ${deployment}\n`)
    return EXIT.usage
  }
  const library = await openLibrary(deployment, { scope: options.scope, reader: FOLDER_READER })
  const { pages } = await library.pages({ limit: Number.POSITIVE_INFINITY })
  const name = await readSiteName(deployment)
  world.out.write(agentsMd({ name, url: options.url, pages }))
  return EXIT.ok
}

export type AgentsMdInput = {
  readonly name: string
  readonly url: string | undefined
  readonly pages: readonly Pick<LibraryPage, 'url' | 'title'>[]
}

/**
 * Returns the index: with page titles if they fit, else with page names, else with folders and page
 * counts.
 */
export function agentsMd({ name, url, pages }: AgentsMdInput): string {
  const root = url === undefined ? '' : url.replace(/\/+$/, '')
  const title = name.replaceAll(/\s+/g, ' ').trim()
  const head = [
    `<!-- octavo agents-md -->`,
    `## ${title} documentation`,
    '',
    `Read these pages before you use ${title}: they are newer than what you remember. Each page is Markdown at \`${root}<path>.md\`; \`${root}/llms.txt\` lists all pages.`,
    '',
  ]
  const folders = Map.groupBy(pages, ({ url: path }) => path.slice(0, path.lastIndexOf('/') + 1))
  const forms = [printTitles, printNames, printCounts]
  for (const print of forms) {
    const lines = [...folders].map(([folder, own]) => print(folder, own))
    const text = `${[...head, ...lines].join('\n')}\n`
    if (Buffer.byteLength(text) <= AGENTS_MD_BYTES_MAX) return text
  }
  return cutLines([...head, ...[...folders].map(([folder, own]) => printCounts(folder, own))])
}

type Pages = AgentsMdInput['pages']

function printTitles(folder: string, pages: Pages): string {
  const named = pages.map(({ url, title }) => {
    return `${nameOf(url)} (${title.replaceAll(/\s+/g, ' ').trim()})`
  })
  return `- ${folder}: ${named.join(', ')}`
}

function printNames(folder: string, pages: Pages): string {
  return `- ${folder}: ${pages.map(({ url }) => nameOf(url)).join(', ')}`
}

function printCounts(folder: string, pages: Pages): string {
  return `- ${folder}: ${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`
}

function nameOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1) || 'index'
}

function cutLines(lines: readonly string[]): string {
  const end = '- More folders are in llms.txt.'
  let bytes = Buffer.byteLength(end) + 1
  const fitting = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1
    return bytes > AGENTS_MD_BYTES_MAX
  })
  return `${[...lines.slice(0, fitting < 0 ? undefined : fitting), end].join('\n')}\n`
}
