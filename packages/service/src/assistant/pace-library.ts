import type { SiteLibrary } from '@octavo/search'
import type { FairQueue } from './fair-queue.ts'

/** The same library; its searches, which take processor time, wait for their turn among all projects. */
export function paceLibrary(
  library: SiteLibrary,
  projectId: string,
  searches: FairQueue,
): SiteLibrary {
  const { search, support } = library
  return {
    ...library,
    search: (question, limit) => searches(projectId, () => search(question, limit)),
    ...(support && { support: (question) => searches(projectId, () => support(question)) }),
  }
}
