import type { Config } from '@octavo/model'
import type { Repository } from '../source/git-repository.ts'
import type { SourceTree } from '../source/source-tree.ts'
import type { PlannedPage } from './plan-pages.ts'

export type FeedbackLinks = { readonly editUrl?: string; readonly issueUrl?: string }

/** Returns those `feedback` settings that require a repository. */
export function wantedLinks({ feedback }: Config): {
  readonly edit: boolean
  readonly issue: boolean
} {
  const { suggestEdit, edits, raiseIssue, issues } = feedback ?? {}
  return {
    edit: suggestEdit === true || edits === true,
    issue: raiseIssue === true || issues === true,
  }
}

/** Returns the repository if the site has links to it. */
export function feedbackRepository(
  config: Config,
  tree: Pick<SourceTree, 'repository'>,
): Repository | undefined {
  const { edit, issue } = wantedLinks(config)
  return edit || issue ? tree.repository?.() : undefined
}

export function feedbackLinks(
  { file, url }: PlannedPage,
  config: Config,
  repository: Repository | undefined,
): FeedbackLinks {
  if (repository === undefined) return {}
  const { edit, issue } = wantedLinks(config)
  return {
    ...(edit && file !== undefined && { editUrl: repository.editUrl(file) }),
    ...(issue && { issueUrl: repository.issueUrl(url) }),
  }
}
