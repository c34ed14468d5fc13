/** An owner's actions on the gaps of a project. */

import type {
  GapAction,
  GapBody,
  GapList,
  GapsBody,
  NewGapBody,
  GapForecast as ShownForecast,
  Gap as ShownGap,
  GapChange as ShownGapChange,
} from '@octavo/contract'
import type { z } from 'zod'
import type { ProjectDatabase } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'
import { DeploymentStore } from '../../publishing/deployments/store.ts'
import { isClosed, reopenGap } from './next-gap-facts.ts'
import { sortIntoGaps } from './sort-into-gaps.ts'
import { type Gap, type GapFacts, type GapSelection, GapStore } from './store.ts'

/** The number of gaps, newest first, to which a conversation can be added. */
const JOINED_MAX = 500
const JOINED_STATES = ['open', 'linked', 'likely', 'verified'] as const

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
    const weeks = await this.#store.weeks(shown.map(({ id }) => id))
    const { states, noise, questions } = await this.#store.counts()
    return {
      gaps: shown.map((gap) => ({ ...show(gap), weeks: [...(weeks.get(gap.id) ?? [])] })),
      nextCursor: gaps.length > selection.limit ? (shown.at(-1)?.sortKey ?? null) : null,
      counts: { open: 0, linked: 0, likely: 0, verified: 0, dismissed: 0, ...states },
      noise,
      questions,
    }
  }

  async get(id: string): Promise<z.input<typeof ShownGap>> {
    return show(await this.#find(id))
  }

  /** Adds a conversation to the gap with the most similar question, or to a new gap. */
  async add({ conversation, page }: NewGapBody): Promise<z.input<typeof ShownGap>> {
    const question = await this.#store.conversation(conversation)
    if (question === undefined)
      throw new Problem('not-found', 'The conversation does not exist.', { param: 'conversation' })
    const { live } = await this.#deployments.publication()
    const deploymentId = live ?? question.deploymentId
    const gaps = await this.#store.list({ states: JOINED_STATES, limit: JOINED_MAX })
    const [id] = await sortIntoGaps([{ ...question, deploymentId }], { store: this.#store, gaps })
    if (id === undefined) throw new Problem('not-found', 'The conversation does not exist.')
    return page === undefined ? this.get(id) : this.change(id, { action: 'link', page })
  }

  async change(id: string, body: GapBody): Promise<z.input<typeof ShownGap>> {
    const gap = await this.#find(id)
    const changes = await this.#changes([gap], body)
    if (changes.length > 0 && (await this.#store.changeAll(body.action, changes)) === undefined)
      throw new Problem('conflict', 'The gap was changed in the meantime. Load it again.')
    return this.get(id)
  }

  async changeAll({ ids, ...body }: GapsBody): Promise<z.input<typeof ShownGapChange>> {
    const gaps = await this.#store.findAll(ids)
    if (gaps.length === 0) throw new Problem('not-found', 'None of these gaps exists.')
    const changes = await this.#changes(gaps, body)
    const id = changes.length > 0 && (await this.#store.changeAll(body.action, changes))
    if (!id) throw new Problem('conflict', 'Nothing was changed: the gaps already have this state.')
    return this.getChange(id)
  }

  async getChange(id: string): Promise<z.input<typeof ShownGapChange>> {
    const change = await this.#store.findChange(id)
    if (change === undefined)
      throw new Problem('not-found', 'This change does not exist, or is older than a day.')
    const { action, at, gapIds, isUndone } = change
    const [first] = gapIds
    const question = first && (await this.#store.find(first))?.examples[0]
    return {
      id,
      action,
      at: at.toISOString(),
      gaps: [...gapIds],
      ...(question && { question }),
      undone: isUndone,
    }
  }

  async undo(id: string): Promise<z.input<typeof ShownGapChange>> {
    const change = await this.getChange(id)
    const count = change.undone ? undefined : await this.#store.undo(id)
    if (count === undefined) throw new Problem('conflict', 'This change was already undone.')
    if (count === 0)
      throw new Problem('conflict', 'Nothing was undone: the gaps were changed in the meantime.')
    return { ...change, undone: true }
  }

  /** Returns the forecast for a preview deployment. */
  async forecast(deploymentId: string): Promise<z.input<typeof ShownForecast>> {
    const forecast = await this.#store.forecast(deploymentId)
    if (forecast === undefined)
      throw new Problem('not-found', 'This deployment has not been compared with the gaps yet.')
    const { openCount, likelyIds, lostIds, answers, readerAnswers } = forecast
    return {
      open: openCount,
      likely: [...likelyIds],
      lost: [...lostIds],
      ...(answers && { answers }),
      ...(readerAnswers && { readerAnswers }),
    }
  }

  async #find(id: string): Promise<Gap> {
    const gap = await this.#store.find(id)
    if (gap === undefined) throw new Problem('not-found', 'This gap does not exist.')
    return gap
  }

  /** Returns the changes to make, without gaps that already have the new state. */
  async #changes(gaps: readonly Gap[], body: GapBody) {
    const { live } = await this.#deployments.publication()
    const wanted = gaps.filter((gap) => !isDone(gap, body))
    return wanted.map((gap) => ({ gap, facts: factsAfter(gap, body, live) }))
  }
}

const HAS_STATE: Readonly<Record<Exclude<GapAction, 'link'>, (gap: Gap) => boolean>> = {
  verify: ({ state, verifiedBy }) => state === 'verified' && verifiedBy === 'owner',
  dismiss: ({ state }) => state === 'dismissed',
  reopen: ({ state }) => state === 'open' || state === 'linked',
}

const isDone = (gap: Gap, body: GapBody) =>
  body.action === 'link'
    ? gap.linkedPage === body.page && gap.state !== 'open' && gap.state !== 'dismissed'
    : HAS_STATE[body.action](gap)

function factsAfter(gap: Gap, body: GapBody, live: string | null): GapFacts {
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
