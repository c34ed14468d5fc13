/**
 * Starts the tools of `integrations`. Each gets at once what its calls wait in, so that an author's
 * own script can use it; its script is loaded when the page is there, idle, and consent is given.
 */
import type { IntegrationPlan, Tool } from './integration-plan.ts'
import { PREPARE } from './prepare-tools.ts'

/** Written before this script, in the same file. */
declare const INTEGRATIONS: IntegrationPlan

const { tools, consent } = INTEGRATIONS
/** The longest wait for a paint, which a tab in the background never has, and then for a browser that is idle. */
const WAIT_MS_MAX = 2_000

// What an author looks at while writing is counted nowhere.
if (document.querySelector('script[data-octavo-dev]') === null) start()

function start(): void {
  for (const tool of tools) PREPARE[tool.kind](tool)
  if (document.readyState === 'complete') afterPaint()
  else addEventListener('load', afterPaint, { once: true })
}

/** A small page can be loaded and idle before it is painted for the first time. */
function afterPaint(): void {
  let isWaiting = true
  const whenPainted = () => {
    if (isWaiting) whenIdle()
    isWaiting = false
  }
  setTimeout(whenPainted, WAIT_MS_MAX)
  new PerformanceObserver(whenPainted).observe({ type: 'paint', buffered: true })
}

function whenIdle(): void {
  // Safari has no such callback.
  const idle = self.requestIdleCallback as typeof requestIdleCallback | undefined
  if (idle === undefined) waitForConsent()
  else idle(waitForConsent, { timeout: WAIT_MS_MAX })
}

/** Consent is given by a click in this page, or in another one of the site. */
function waitForConsent(): void {
  if (hasConsent()) {
    tools.forEach(load)
    return
  }
  const waiting = new AbortController()
  const look = () =>
    setTimeout(() => {
      if (waiting.signal.aborted || !hasConsent()) return
      waiting.abort()
      tools.forEach(load)
    })
  addEventListener('click', look, waiting)
  addEventListener('storage', look, waiting)
}

function hasConsent(): boolean {
  if (consent === undefined) return true
  try {
    const given = localStorage.getItem(consent.key)
    return consent.value === undefined ? given !== null : given === consent.value
  } catch {
    // Nothing can be kept, so no consent either.
    return false
  }
}

function load({ kind, src, id }: Tool): void {
  const script = document.createElement('script')
  script.src = src
  script.async = true
  if (kind === 'plausible') script.dataset.domain = id
  document.head.append(script)
}
