/**
 * A page as the author's browser gets it: the built page plus a script that keeps it up to date.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DevPage, PageProblems } from '@octavo/builder'
import type { Diagnostic } from '@octavo/model'

/** A problem as the panel in the browser shows it; see browser/dev/problem-panel.ts. */
type ShownProblem = Pick<Diagnostic, 'severity' | 'code' | 'message' | 'hint'> &
  Diagnostic['place'] & {
    readonly excerpt?: string
    /** True if the problem is in the open page or in a file that was just saved. */
    readonly isNear: boolean
  }

export type ShownProblems = {
  readonly problems: readonly ShownProblem[]
  /** Number of further problems. */
  readonly moreCount: number
}

export type SentPage = Pick<DevPage, 'status' | 'html' | 'headers' | 'hasIslands' | 'problems'> & {
  readonly version: string
}

/** Further problems are only in the terminal. */
const PROBLEMS_MAX = 60
const EXCERPT_LENGTH_MAX = 200

export function withPageVersion(page: DevPage): SentPage {
  const text = `${page.status}\n${page.html}`
  return { ...page, version: createHash('sha256').update(text).digest('hex').slice(0, 16) }
}

export function shownProblems(
  { own, others }: PageProblems,
  { folder, saved }: { readonly folder: string; readonly saved: ReadonlySet<string> },
): ShownProblems {
  const lines = new Map<string, readonly string[]>()
  const nearBy = others.filter(({ place }) => saved.has(place.file))
  const far = others.filter(({ place }) => !saved.has(place.file))
  const all = [
    ...[...own, ...nearBy].map((one) => ({ one, isNear: true })),
    ...far.map((one) => ({ one, isNear: false })),
  ].filter(({ one }) => one.severity !== 'note')
  const problems = all.slice(0, PROBLEMS_MAX).map(({ one, isNear }) => {
    const { severity, code, message, hint, place } = one
    const excerpt = excerptOf(place, folder, lines)
    const said = { severity, code, message, hint, isNear, ...place }
    return excerpt === undefined ? said : { ...said, excerpt }
  })
  return { problems, moreCount: all.length - problems.length }
}

/** Adds the client script; the rest of the page is as a build writes it. */
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
    // The file is gone: the problem is shown without an excerpt.
    return []
  }
}
