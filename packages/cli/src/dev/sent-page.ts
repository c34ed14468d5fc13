/**
 * A page as it is sent to the author's browser: the built page plus a script that keeps it up to
 * date.
 */
import { createHash } from 'node:crypto'
import type { DevPage, PageProblems } from '@octavo/builder'
import type { Diagnostic } from '@octavo/model'
import { type Excerpt, Excerpts } from '../report/excerpts.ts'

/** A problem as the panel in the browser shows it; see browser/dev/problem-panel.ts. */
type ShownProblem = Pick<Diagnostic, 'severity' | 'code' | 'message' | 'hint'> &
  Diagnostic['place'] & {
    readonly excerpt: Excerpt | undefined
    /** True if the panel can offer a fix. */
    readonly canFix: boolean
    /** True if the problem is in the open page or in a file just saved, or if the save caused it. */
    readonly isNear: boolean
  }

export type ShownProblems = {
  readonly problems: readonly ShownProblem[]
  /** The number of further problems. */
  readonly moreCount: number
}

export type SentPage = Pick<DevPage, 'status' | 'html' | 'headers' | 'hasIslands' | 'problems'> & {
  readonly version: string
}

/** The maximum number of problems to send. Further ones are only in the terminal. */
const PROBLEMS_MAX = 60

export function withPageVersion(page: DevPage): SentPage {
  const text = `${page.status}\n${page.html}`
  return { ...page, version: createHash('sha256').update(text).digest('hex').slice(0, 16) }
}

export function shownProblems(
  { own, caused, others }: PageProblems,
  {
    read,
    saved,
  }: {
    readonly read: (file: string) => string | undefined
    readonly saved: ReadonlySet<string>
  },
): ShownProblems {
  const excerpts = new Excerpts(read)
  const nearBy = others.filter(({ place }) => saved.has(place.file))
  const far = others.filter(({ place }) => !saved.has(place.file))
  const all = [
    ...[...own, ...caused, ...nearBy].map((one) => ({ one, isNear: true })),
    ...far.map((one) => ({ one, isNear: false })),
  ].filter(({ one }) => one.severity !== 'note')
  const problems = all.slice(0, PROBLEMS_MAX).map(({ one, isNear }) => {
    const { severity, code, message, hint, place, fix } = one
    const excerpt = excerpts.at(place)
    return { severity, code, message, hint, isNear, ...place, excerpt, canFix: fix !== undefined }
  })
  return { problems, moreCount: all.length - problems.length }
}

/** What is added to the head of a page. */
type Added = {
  readonly clientUrl: string
  /** The address of the mock to which the page's playground sends; undefined without one. */
  readonly mockUrl: string | undefined
}

/** Adds the client script to a page, which is otherwise the page that a build writes. */
export function withClient({ html, version }: SentPage, { clientUrl, mockUrl }: Added): string {
  const mock = mockUrl === undefined ? '' : `<meta name="octavo-mock" content="${mockUrl}">`
  const tag = `${mock}<script type="module" src="${clientUrl}" data-octavo-dev="${version}"></script>`
  const end = html.indexOf('</head>')
  return end < 0 ? html + tag : html.slice(0, end) + tag + html.slice(end)
}
