/**
 * Checks one page in Chromium: axe-core findings, layout shifts, requests and policy violations.
 */
import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { type OpenState, openState } from './open-states.ts'

export type Finding = {
  readonly rule: string
  readonly count: number
  readonly first: string
  /** True if the author, not the theme, caused the finding, such as an image without alt text. */
  readonly byAuthor: boolean
}

export type CheckedStates = {
  readonly list: readonly OpenState[]
  /** Counts how often each state was reached. */
  readonly opened: Map<string, number>
}

const PAGE_TIME_MS_MAX = 60_000

/**
 * A script that runs in the page before all others. It is a string, because `document` has no types
 * here.
 */
const WATCH_SHIFTS = `self.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const [source] = sources
    const node = source?.node
    const element = node instanceof Element ? node : node?.parentElement
    const rects = [source?.previousRect, source?.currentRect].map((one) => one && [one.x, one.y, one.width, one.height])
    self.shifts.push({ value, at: (element?.outerHTML.slice(0, 120) ?? '') + ' ' + JSON.stringify(rects) })
  }
}).observe({ type: 'layout-shift', buffered: true })`

const READ_LAYOUT = `new Promise((resolve) => setTimeout(() => resolve({
  shifts: self.shifts,
  lost: [...document.images].filter((one) => one.complete && one.naturalWidth === 0).length,
  overflow: document.documentElement.scrollWidth - innerWidth,
}), 100))`

/**
 * Runs axe, and records for each finding what shows whether the author caused it: its place within
 * the content, for rules of `AUTHOR_RULES`, or a color that the author set with a style or a custom
 * class, for contrast.
 */
const RUN_AXE = `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => {
  const element = document.querySelector(node.target.at(-1))
  const inText = element?.closest('.oct-content') != null
  const isTheirs = element?.closest('body > [class*=oct-]') == null
  const isColored = element?.closest('.oct-content :is([style],[class]:not([class^=oct-],[class^=tok-]))') != null
  return { rule: id, inText, isTheirs, isColored, at: node.target.join(' ') + ' ' + (node.failureSummary ?? '') }
})))`

/** Checks whether the site has its own scripts. The policy blocks their requests, as intended. */
const HAS_OTHER_SCRIPTS = `[...document.scripts].some((one) => one.src && !one.src.includes('/_octavo/'))`

/**
 * Rules that only the author can follow, such as those about alt text, heading levels and link
 * names.
 */
const AUTHOR_RULES: ReadonlySet<string> = new Set([
  'image-alt',
  'svg-img-alt',
  'role-img-alt',
  'video-caption',
  'frame-title',
  'heading-order',
  'empty-heading',
  'page-has-heading-one',
  'link-name',
  'image-redundant-alt',
  'empty-table-header',
])

type AxePlace = {
  readonly rule: string
  readonly inText: boolean
  /** True if the element is outside our markup, because a script of the site added it. */
  readonly isTheirs: boolean
  readonly isColored: boolean
  readonly at: string
}
type Layout = {
  readonly shifts: readonly { readonly value: number; readonly at: string }[]
  /** The number of missing images, whose size is unknown. */
  readonly lost: number
  readonly overflow: number
}

export async function checkPage(
  context: BrowserContext,
  url: string,
  states: CheckedStates,
): Promise<readonly Finding[]> {
  const page = await context.newPage()
  page.setDefaultTimeout(PAGE_TIME_MS_MAX)
  const found: Finding[] = []
  // If the page navigates away, the evaluated script may never return, so the page is closed after
  // a while.
  const timer = setTimeout(() => void page.close(), PAGE_TIME_MS_MAX)
  try {
    await watchRequests(page, new URL(url).origin, found)
    await page.addInitScript(WATCH_SHIFTS)
    await page.goto(url)
    found.push(...(await readLayout(page)), ...(await runAxe(page)))
    for (const state of states.list) found.push(...(await checkState(page, state, states.opened)))
    if (await page.evaluate<boolean>(HAS_OTHER_SCRIPTS)) markScriptFaults(found)
  } catch (error) {
    found.push(finding('not-opened', String(error).split('\n')[0] ?? ''))
  } finally {
    clearTimeout(timer)
    await page.close()
  }
  return together(found)
}

async function checkState(
  page: Page,
  state: OpenState,
  opened: Map<string, number>,
): Promise<readonly Finding[]> {
  try {
    const close = await openState(page, state)
    if (close === undefined) return []
    opened.set(state.name, (opened.get(state.name) ?? 0) + 1)
    const found = await runAxe(page)
    await close()
    return found.map((one) => ({ ...one, rule: `${one.rule} (${state.name})` }))
  } catch (error) {
    return [finding(`not opened (${state.name})`, String(error))]
  }
}

function markScriptFaults(found: Finding[]): void {
  for (const [index, one] of found.entries())
    if (one.rule === 'policy' || one.rule === 'script-error')
      found[index] = { ...one, byAuthor: true }
}

async function watchRequests(page: Page, origin: string, found: Finding[]): Promise<void> {
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text()))
      found.push(finding('policy', message.text()))
  })
  page.on('pageerror', (error) => found.push(finding('script-error', error.message)))
  await page.route('**/*', (route) => {
    const request = route.request()
    if (new URL(request.url()).origin === origin) return route.continue()
    // Images, videos and frames from other sites are the author's choice, so they are not our
    // faults.
    const byAuthor = ['image', 'media', 'document'].includes(request.resourceType())
    found.push({ ...finding('other-origin', request.url()), byAuthor })
    return route.abort()
  })
}

async function readLayout(page: Page): Promise<readonly Finding[]> {
  const { shifts, lost, overflow } = await page.evaluate<Layout>(READ_LAYOUT)
  return [
    ...shifts.map(({ value, at }) => ({
      ...finding('layout-shift', `${value.toFixed(5)} ${at}`),
      byAuthor: lost > 0,
    })),
    ...(overflow > 0 ? [finding('wider-than-window', `${overflow} px`)] : []),
  ]
}

async function runAxe(page: Page): Promise<readonly Finding[]> {
  await page.evaluate(axe.source)
  const places = await page.evaluate<readonly AxePlace[]>(RUN_AXE)
  return places.map(({ rule, inText, isTheirs, isColored, at }) => ({
    ...finding(rule, at),
    byAuthor:
      isTheirs || (inText && AUTHOR_RULES.has(rule)) || (rule === 'color-contrast' && isColored),
  }))
}

function finding(rule: string, first: string): Finding {
  const line = first.replaceAll(/\s+/g, ' ').slice(0, 300)
  return { rule, count: 1, first: line, byAuthor: false }
}

/** Merges findings into one per rule, with its count and first place. */
function together(found: readonly Finding[]): readonly Finding[] {
  const groups = Map.groupBy(found, ({ rule, byAuthor }) => `${byAuthor} ${rule}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [{ ...first, count: group.length }]
  })
}
