/**
 * Runs on every page of a site whose host collects statistics. Sends events that other scripts
 * dispatch, unless the reader opted out of tracking, and loads the feedback form if docs.json
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
    // A beacon is also sent if the reader leaves the page, which happens when they open a search
    // result.
    navigator.sendBeacon(new URL('events', import.meta.url), body)
  })

// This script loads asynchronously, so the page may not be complete yet.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
else start()

function start(): void {
  if (!document.querySelector('main[data-feedback]')) return
  const { lang } = document.documentElement
  void import(new URL(`assistant/${FEEDBACK_NAME}-${lang || 'en'}.js`, import.meta.url).href)
}
