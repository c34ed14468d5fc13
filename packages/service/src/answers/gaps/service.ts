/** The owner's actions on a project's gaps. */

import type {
  GapBody,
  GapList,
  GapForecast as ShownForecast,
  Gap as ShownGap,
} from '@octavo/contract'
import type { z } from 'zod'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { isClosed, reopenGap } from './next-gap-facts.ts'
import { type Gap, type GapFacts, type GapSelection, GapStore } from './store.ts'

export class GapService {
  readonly #store: GapStore
  readonly #deployments: DeploymentStore

  constructor(database: ProjectDatabase) {
    this.#store = new GapStore(database)
    this.#deployments = new DeploymentStore(database)
  }

  async list(selection: GapSelection): Promise<z.input<typeof GapList>> {
    const gaps = await this.#store.list({ ...selection, limit: selection.limit + 1 })
    const shown = gaps.slice(0, selection.limit)
    return {
      gaps: shown.map(show),
      nextCursor: gaps.length > selection.limit ? (shown.at(-1)?.id ?? null) : null,
    }
  }

  async get(id: string): Promise<z.input<typeof ShownGap>> {
    return show(await this.#find(id))
  }

  async change(id: string, body: GapBody): Promise<z.input<typeof ShownGap>> {
    const gap = await this.#find(id)
    if (!(await this.#store.change(gap, await this.#factsAfter(gap, body))))
      throw new Problem('conflict', 'The gap was changed in the meantime. Load it again.')
    return show(await this.#find(id))
  }

  /** Returns the forecast of a deployment that is or was shown in a preview. */
  async forecast(deploymentId: string): Promise<z.input<typeof ShownForecast>> {
    const forecast = await this.#store.forecast(deploymentId)
    if (forecast === undefined)
      throw new Problem('not-found', 'This deployment has not been compared with the gaps yet.')
    const { openCount, likelyIds, lostIds } = forecast
    return { open: openCount, likely: [...likelyIds], lost: [...lostIds] }
  }

  async #find(id: string): Promise<Gap> {
    const gap = await this.#store.find(id)
    if (gap === undefined) throw new Problem('not-found', 'This gap does not exist.')
    return gap
  }

  async #factsAfter(gap: Gap, body: GapBody): Promise<GapFacts> {
    const { live } = await this.#deployments.publication()
    switch (body.action) {
      case 'link': {
        const linked = { ...gap, linkedPage: body.page }
        return isClosed(gap) ? linked : { ...linked, state: 'linked' }
      }
      case 'verify': {
        const closedIn = isClosed(gap) ? gap.closedIn : live
        if (closedIn === null)
          throw new Problem('conflict', 'No deployment is live, so the gap cannot be verified.')
        return { ...gap, state: 'verified', verifiedBy: 'owner', closedIn }
      }
      case 'dismiss':
        return { ...gap, state: 'dismissed' }
      case 'reopen':
        return reopenGap(gap, live)
    }
  }
}

function show(gap: Gap): z.input<typeof ShownGap> {
  const { linkedPage, sectionUrl, openIn, closedIn, verifiedBy } = gap
  return {
    id: gap.id,
    state: gap.state,
    count: gap.count,
    firstAskedAt: gap.firstAskedAt,
    lastAskedAt: gap.lastAskedAt,
    changedAt: gap.changedAt,
    examples: [...gap.examples],
    nearest: [...gap.nearest],
    ...(linkedPage !== null && { linkedPage }),
    ...(sectionUrl !== null && { section: sectionUrl }),
    ...(openIn !== null && { openIn }),
    ...(closedIn !== null && { closedIn }),
    ...(verifiedBy !== null && { verifiedBy }),
  }
}
