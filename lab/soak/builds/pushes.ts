/**
 * Pushes to branches of projects, with half of the webhooks lost. All pushes are planned in
 * advance, so that the last one of each branch is known to be good.
 */
import { randomUUID } from 'node:crypto'
import { signWebhook } from '../../../packages/service/src/projects/notifications/webhooks/sign-webhook.ts'
import { type SoakProject, siteOf } from './soak-projects.ts'

const BRANCHES = ['main', 'next'] as const
/** One in this many pushes goes to the branch with a preview. */
const PREVIEW_EVERY = 5
const BROKEN_SHARE = 0.06
const README_SHARE = 0.08
const LOST_SHARE = 0.5
const NOTIFY_MS_MAX = 10_000

/** A branch of a project, with its commits and the one that its site must show. */
export type Line = {
  readonly project: SoakProject
  readonly branch: (typeof BRANCHES)[number]
  readonly commits: string[]
  /** The number of the newest commit that can be built. */
  newest: number
  isBroken: boolean
}

type Planned = { readonly line: Line; readonly kind: 'edit' | 'readme' | 'broken' }

export type Push = {
  readonly line: Line
  readonly number: number
  readonly kind: Planned['kind']
  readonly commit: string
  readonly atMs: number
  /** The state of the webhook; `refused` if the service was down. */
  webhook: 'delivered' | 'lost' | 'refused'
  liveMs: number | undefined
}

export function planPushes(projects: readonly SoakProject[], count: number) {
  const lines = projects.flatMap((project) =>
    BRANCHES.map((branch): Line => {
      const commits: string[] = []
      return { project, branch, commits, newest: 0, isBroken: false }
    }),
  )
  const plan = Array.from({ length: count }, (_, index): Planned => {
    const branch = index % PREVIEW_EVERY === PREVIEW_EVERY - 1 ? 'next' : 'main'
    const line = pick(lines.filter((one) => one.branch === branch))
    const chance = Math.random()
    const rare = chance < BROKEN_SHARE + README_SHARE ? 'readme' : 'edit'
    return { line, kind: chance < BROKEN_SHARE ? 'broken' : rare }
  })
  // The last commit of a branch must not be broken.
  const last = new Map(plan.map(({ line }, index) => [line, index]))
  const pushes = plan.map(
    (one, index): Planned =>
      one.kind === 'broken' && last.get(one.line) === index ? { ...one, kind: 'edit' } : one,
  )
  return { lines, plan: pushes }
}

/** Makes a commit and notifies the service once, as a Git host does. */
export function push({ line, kind: planned }: Planned, number: number): Push {
  const { project, branch } = line
  // The first commit of a branch contains a site, and the commit after a broken one fixes it.
  const isFirst = branch !== 'main' && line.commits.length === 0
  const kind = planned === 'readme' && (isFirst || line.isBroken) ? 'edit' : planned
  const site =
    kind === 'readme'
      ? { number: line.newest, readme: `Changed by ${number}.` }
      : { number, isBroken: kind === 'broken' }
  const commit = project.repository.commit(siteOf(site), { branch, message: `Push ${number}` })
  line.commits.push(commit)
  line.isBroken = kind === 'broken'
  if (kind === 'edit') line.newest = number
  const isAnswerLost = Math.random() < LOST_SHARE
  const made: Push = {
    line,
    number,
    kind,
    commit,
    atMs: Date.now(),
    webhook: isAnswerLost ? 'lost' : 'refused',
    liveMs: undefined,
  }
  if (!isAnswerLost)
    void tell(project.hook, `refs/heads/${branch}`).then((status) => {
      if (status === 202) made.webhook = 'delivered'
    })
  return made
}

async function tell(hook: SoakProject['hook'], ref: string): Promise<number> {
  const body = JSON.stringify({ ref })
  const signed = signWebhook(hook.secret, { id: randomUUID(), body, nowMs: Date.now() })
  try {
    const response = await fetch(hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      signal: AbortSignal.timeout(NOTIFY_MS_MAX),
    })
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}

export function pick<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
