import type { PlannedPage } from '../plan-pages.ts'

/** Longer descriptions are cut: the list is read by programs with little room. */
const DESCRIPTION_LENGTH_MAX = 300

export type LlmsInput = {
  readonly name: string
  readonly description: string | undefined
  readonly pages: readonly PlannedPage[]
  readonly specifications: readonly string[]
}

/** `llms.txt`: what the site is and where each page is, as Markdown, in the order of the navigation. */
export function llmsTxt(input: LlmsInput): string {
  const { name, description, pages, specifications } = input
  return [
    `# ${oneLine(name)}`,
    ...(description === undefined ? [] : ['', `> ${oneLine(description)}`]),
    '',
    '## Docs',
    '',
    ...pages.map(
      (page) =>
        `- [${linkText(page.title)}](${markdownUrl(page.url)})${page.description === undefined ? '' : `: ${shorten(oneLine(page.description))}`}`,
    ),
    ...(specifications.length === 0
      ? []
      : ['', '## OpenAPI', '', ...specifications.map((path) => `- [${path}](/${path})`)]),
    '',
  ].join('\n')
}

/** Where the Markdown of a page is. */
export function markdownUrl(url: string): string {
  return url === '/' ? '/index.md' : `${url}.md`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function linkText(text: string): string {
  return oneLine(text).replaceAll(/[[\]]/g, '\\$&')
}

function shorten(text: string): string {
  if (text.length <= DESCRIPTION_LENGTH_MAX) return text
  return `${text.slice(0, DESCRIPTION_LENGTH_MAX).trimEnd()}…`
}
