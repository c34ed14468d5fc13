/** A page as the author's browser gets it: that of a build, and a script that keeps it up to date. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevPage } from '@octavo/builder'
import type { Diagnostic } from '@octavo/model'

type ShownProblem = Pick<Diagnostic, 'severity' | 'code' | 'message' | 'hint'> &
  Diagnostic['place'] & { readonly excerpt?: string }

export type SentPage = Pick<DevPage, 'status' | 'html' | 'headers' | 'hasIslands'> & {
  readonly version: string
  readonly problems: readonly ShownProblem[]
  readonly diagnostics: readonly Diagnostic[]
}

/** More than this are in the terminal. */
const PROBLEMS_MAX = 60
const EXCERPT_LENGTH_MAX = 200

export function sentPage(page: DevPage, folder: string): SentPage {
  const { status, html, headers, hasIslands } = page
  const version = createHash('sha256').update(`${status}\n${html}`).digest('hex').slice(0, 16)
  const lines = new Map<string, readonly string[]>()
  const problems = page.problems
    .filter(({ severity }) => severity !== 'note')
    .slice(0, PROBLEMS_MAX)
    .map(({ severity, code, message, hint, place }) => {
      const excerpt = excerptOf(place, folder, lines)
      const said = { severity, code, message, hint, ...place }
      return excerpt === undefined ? said : { ...said, excerpt }
    })
  return { status, html, headers, hasIslands, version, problems, diagnostics: page.problems }
}

/** Everything else of the page is as a build writes it. */
export function withClient({ html, version }: SentPage, clientUrl: string): string {
  const tag = `<script type="module" src="${clientUrl}" data-octavo-dev="${version}"></script>`
  const end = html.indexOf('</head>')
  return end < 0 ? html + tag : html.slice(0, end) + tag + html.slice(end)
}

function excerptOf(
  { file, line }: Diagnostic['place'],
  folder: string,
  known: Map<string, readonly string[]>,
): string | undefined {
  const lines = known.get(file) ?? readLines(join(folder, file))
  known.set(file, lines)
  const text = lines[line - 1]?.trim()
  return text === '' ? undefined : text?.slice(0, EXCERPT_LENGTH_MAX)
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r\n|\n|\r/)
  } catch {
    // It is gone: the message stands alone.
    return []
  }
}
