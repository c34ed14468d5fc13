/**
 * What every page of a site has whose host counts: it sends what scripts of the page tell, unless the reader
 * asked not to be followed, and loads the questions to readers where docs.json wants them.
 */
import type { SiteEvent } from '@octavo/model/site-event'

/** The name of the script without its language. */
declare const FEEDBACK_NAME: string

const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
  readonly globalPrivacyControl?: boolean
}

if (doNotTrack !== '1' && globalPrivacyControl !== true)
  document.addEventListener('octavo-event', ({ detail }: CustomEventInit<SiteEvent>) => {
    const body = new Blob([JSON.stringify(detail)], { type: 'application/json' })
    // It outlives the page: opening a result leaves it.
    navigator.sendBeacon(new URL('events', import.meta.url), body)
  })

// The script is loaded beside the page, which may not be there yet.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
else start()

function start(): void {
  if (!document.querySelector('main[data-feedback]')) return
  const { lang } = document.documentElement
  void import(new URL(`assistant/${FEEDBACK_NAME}-${lang || 'en'}.js`, import.meta.url).href)
}
