/**
 * Assigns unique paths to pages that are generated from operations: `/<directory>/<tag>/<title>`.
 */
import { isInternalLink } from '../config/values.ts'
import { diagnose, type Place, type Report } from '../diagnostics/diagnostic.ts'
import { distinctNames } from '../routes/distinct-names.ts'
import { operationSlug } from '../routes/operation-slug.ts'
import { joinPath } from '../text/join-path.ts'
import type { NamedOperation } from './parse-operation-text.ts'
import type { OperationListing, SiteFacts } from './site-facts.ts'
import type { SpecificationUse } from './written.ts'

const GENERATED_DIRECTORY = 'api-reference'

export class GeneratedPaths {
  readonly #report: Report
  readonly #distinct: (wanted: string) => string
  /** Paths by operation, since an operation that is listed twice is still a single page. */
  readonly #paths = new Map<string, string>()

  constructor(facts: SiteFacts, report: Report) {
    this.#report = report
    this.#distinct = distinctNames((path) => facts.pages.has(path))
  }

  /** Returns the page path of an operation. `isRead` is true if its specification was read. */
  pathOf(
    use: SpecificationUse | undefined,
    operation: OperationListing,
    context: { readonly place: () => Place; readonly isRead: boolean },
  ): string {
    const owner = `${use?.source}\n${use?.directory}\n${operation.method} ${operation.path}`
    const known = this.#paths.get(owner)
    if (known !== undefined) return known
    const wanted = pathOfHref(operation) ?? automaticPath(use, operation)
    const path = this.#distinct(wanted)
    this.#paths.set(owner, path)
    // If the specification was not read, the wanted path is only a guess, so a change is not
    // reported.
    if (path !== wanted && context.isRead) {
      this.#report(
        diagnose('route/renamed', context.place(), {
          message: `\`${operation.method} ${operation.path}\` would have the URL /${wanted}, which is already taken; it is at /${path} instead.`,
          hint: 'Give the specification its own `directory`, or the operation its own summary or `x-svc.href`.',
        }),
      )
    }
    return path
  }
}

/** Returns a placeholder for an operation whose specification was not read. */
export function unreadOperation({ method, path }: NamedOperation): OperationListing {
  const title = method === 'WEBHOOK' ? path : `${method} ${path}`
  return { method, path, title, slug: operationSlug(title) || method.toLowerCase() }
}

/** Returns the path that `x-svc.href` sets. An external `href` has already been reported. */
export function pathOfHref({ href }: OperationListing): string | undefined {
  if (href === undefined || !isInternalLink(href)) return undefined
  return joinPath('', href) || undefined
}

function automaticPath(use: SpecificationUse | undefined, operation: OperationListing): string {
  const folder = joinPath('', use?.directory ?? GENERATED_DIRECTORY) ?? GENERATED_DIRECTORY
  return joinPath('', `${folder}/${operation.slug}`) ?? operation.slug
}
