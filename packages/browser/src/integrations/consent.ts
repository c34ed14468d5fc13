/**
 * Checks whether the reader has agreed to load tools: with a local storage entry, a consent
 * manager, or both.
 */
import type { ConsentManager, IntegrationPlan } from './integration-plan.ts'
import { call, page } from './prepare-tools.ts'

/** A compile-time constant: most sites have no consent manager, so they do not need code for it. */
declare const HAS_MANAGERS: boolean

type Consent = IntegrationPlan['consent']

type Airgap = {
  readonly getConsent?: () => { readonly purposes: Readonly<Record<string, unknown>> }
  readonly addEventListener: (name: string, listener: () => void) => void
}

export function hasConsent({ entry, managers }: Consent): boolean {
  try {
    const given = entry && localStorage.getItem(entry.key)
    const isKept = entry?.value === undefined ? given !== null : given === entry.value
    return isKept && (!HAS_MANAGERS || managers.every(agrees))
  } catch {
    // If storage is disabled, there is no consent.
    return false
  }
}

/** Checks the consent of one manager. Without a loaded manager, there is no consent. */
function agrees({ kind, group }: ConsentManager): boolean {
  if (kind === 'onetrust') return `${page.OnetrustActiveGroups ?? ''}`.split(',').includes(group)
  const airgap = page.airgap as Airgap | undefined
  // The third value, `Auto`, was not chosen by the reader.
  return airgap?.getConsent?.().purposes[group] === true
}

/** Queues calls to a manager until its script is loaded. */
export function prepareManager({ kind }: ConsentManager): void {
  if (kind === 'onetrust') return
  const readyQueue: unknown[] = []
  const stub = { readyQueue, ready: (callback: unknown) => readyQueue.push(callback) }
  page.airgap ??= stub
}

/**
 * Calls `look` whenever consent may have changed: by a click on this page, on another page of the
 * site, or in a manager.
 */
export function watchConsent({ managers }: Consent, look: () => void): void {
  addEventListener('click', look)
  addEventListener('storage', look)
  if (!HAS_MANAGERS) return
  for (const { kind } of managers) {
    if (kind === 'onetrust') {
      addEventListener('OneTrustGroupsUpdated', look)
      const own = page.OptanonWrapper
      page.OptanonWrapper = () => {
        if (typeof own === 'function') own()
        look()
      }
    } else {
      const listen = (airgap: Airgap) => {
        airgap.addEventListener('consent-change', look)
        look()
      }
      call('airgap.ready', [listen])
    }
  }
}
