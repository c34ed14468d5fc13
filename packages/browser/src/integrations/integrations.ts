/**
 * Starts the tools of `integrations`. The call queue of each tool exists immediately, so that
 * authors' scripts can use it. The tool's own script is loaded later: once the page is loaded and
 * idle, and the reader has agreed.
 */
import { hasConsent, prepareManager, watchConsent } from './consent.ts'
import type { IntegrationPlan, LoadedScript } from './integration-plan.ts'
import { call, prepare } from './prepare-tools.ts'

/** The plan, which the builder prepends to this script. */
declare const INTEGRATIONS: IntegrationPlan

/** A compile-time constant: see consent.ts. */
declare const HAS_MANAGERS: boolean

const { tools, consent } = INTEGRATIONS
/**
 * The maximum wait for the first paint, which never happens in a background tab, and then for the
 * browser to be idle.
 */
const WAIT_MS_MAX = 2_000

// Authors are not tracked in a local preview.
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

/** Waits for the first paint, because a small page may be loaded and idle before it. */
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
  // Safari does not support `requestIdleCallback`.
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
  // The check runs after other listeners of the same event, since one of them may store the choice.
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
