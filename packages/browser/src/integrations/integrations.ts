/**
 * Starts the tools of `integrations`. Each gets at once what its calls wait in, so that an author's
 * own script can use it; its script is loaded when the page is there, idle, and consent is given.
 */
import { hasConsent, prepareManager, watchConsent } from './consent.ts'
import type { IntegrationPlan, LoadedScript } from './integration-plan.ts'
import { call, prepare } from './prepare-tools.ts'

/** Written before this script, in the same file. */
declare const INTEGRATIONS: IntegrationPlan

/** See consent.ts. */
declare const HAS_MANAGERS: boolean

const { tools, consent } = INTEGRATIONS
/** The longest wait for a paint, which a tab in the background never has, and then for a browser that is idle. */
const WAIT_MS_MAX = 2_000

// What an author looks at while writing is counted nowhere.
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

function waitForConsent(): void {
  let isWaiting = true
  const look = () => {
    if (!isWaiting || !hasConsent(consent)) return
    isWaiting = false
    for (const tool of tools) load(tool, tool.start)
  }
  look()
  // After what others do with the same event, such as to keep the answer.
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
