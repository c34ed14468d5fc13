/** Who says that tools may be loaded: an entry of the local storage, a consent manager, or both. */
import type { ConsentManager, IntegrationPlan } from './integration-plan.ts'
import { call, page } from './prepare-tools.ts'

/** Decided when it is compiled: most sites have no consent manager, and need none of its code. */
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
    // Nothing can be kept or asked, so no consent either.
    return false
  }
}

/** A manager that was never loaded has said nothing, which is no consent. */
function agrees({ kind, group }: ConsentManager): boolean {
  if (kind === 'onetrust') return `${page.OnetrustActiveGroups ?? ''}`.split(',').includes(group)
  const airgap = page.airgap as Airgap | undefined
  // The third value, `Auto`, is none that the reader chose.
  return airgap?.getConsent?.().purposes[group] === true
}

/** What the script of a manager takes calls from when it comes. */
export function prepareManager({ kind }: ConsentManager): void {
  if (kind === 'onetrust') return
  const readyQueue: unknown[] = []
  const stub = { readyQueue, ready: (callback: unknown) => readyQueue.push(callback) }
  page.airgap ??= stub
}

/** Consent is given by a click in this page or in another one of the site, or told by a manager. */
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
