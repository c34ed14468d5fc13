/**
 * Runs on every page of a site whose host collects statistics: sends events dispatched by other
 * scripts, unless the reader opted out of tracking, and loads the feedback form if docs.json
 * enables it.
 */
import type { SiteEvent } from '@octavo/model/site-event'

/** The script's file name without its language. */
declare const FEEDBACK_NAME: string

const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
  readonly globalPrivacyControl?: boolean
}

if (doNotTrack !== '1' && globalPrivacyControl !== true)
  document.addEventListener('octavo-event', ({ detail }: CustomEventInit<SiteEvent>) => {
    const body = new Blob([JSON.stringify(detail)], { type: 'application/json' })
    // A beacon survives the page: opening a result leaves it.
    navigator.sendBeacon(new URL('events', import.meta.url), body)
  })

// The script loads asynchronously, so the page may not be complete.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
else start()

function start(): void {
  if (!document.querySelector('main[data-feedback]')) return
  const { lang } = document.documentElement
  void import(new URL(`assistant/${FEEDBACK_NAME}-${lang || 'en'}.js`, import.meta.url).href)
}
