/**
 * Starts the tools of `integrations`. Each gets its call queue immediately, so that authors'
 * scripts can use it; its own script is loaded once the page is loaded and idle and there is
 * consent.
 */
import { hasConsent, prepareManager, watchConsent } from './consent.ts'
import type { IntegrationPlan, LoadedScript } from './integration-plan.ts'
import { call, prepare } from './prepare-tools.ts'

/** Prepended to this script at build time. */
declare const INTEGRATIONS: IntegrationPlan

/** See consent.ts. */
declare const HAS_MANAGERS: boolean

const { tools, consent } = INTEGRATIONS
/**
 * Maximum wait for a paint, which never happens in a background tab, and then for the browser to be
 * idle.
 */
const WAIT_MS_MAX = 2_000

// Local previews of authors are not tracked.
if (document.querySelector('script[data-octavo-dev]') === null) start()

function start(): void {
  if (HAS_MANAGERS) {
    for (const manager of consent.managers) {
      prepareManager(manager)
      load(manager)
    }
  }
  tools.forEach(prepare)
  if (document.readyState === 'complete') afterPaint()
  else addEventListener('load', afterPaint, { once: true })
}

/** A small page may be loaded and idle before its first paint. */
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
  // Safari does not support it.
  const idle = self.requestIdleCallback as typeof requestIdleCallback | undefined
  if (idle === undefined) waitForConsent()
  else idle(waitForConsent, { timeout: WAIT_MS_MAX })
}

function waitForConsent(): void {
  let isWaiting = true
  const look = () => {
    if (!isWaiting || !hasConsent(consent)) return
    isWaiting = false
    for (const tool of tools) load(tool, tool.start)
  }
  look()
  // Runs after other listeners of the same event, such as one that stores the choice.
  if (isWaiting) watchConsent(consent, () => setTimeout(look))
}

function load(
  { src, attributes = {} }: LoadedScript,
  start?: readonly [path: string, ...args: unknown[]],
): void {
  const script = document.createElement('script')
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
  script.src = src
  script.async = true
  if (start !== undefined) {
    const [path, ...args] = start
    script.onload = () => call(path, args)
  }
  document.head.append(script)
}
