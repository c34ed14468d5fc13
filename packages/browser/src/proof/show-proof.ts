/**
 * Shows next to each request sample that it ran, or that it has changed since. The results of
 * `octavo test` are not part of the deployment; the host sends those of this page.
 */

/** The texts by language. The service prepends them to this script. */
declare const SAMPLE_WORDS: Readonly<Record<string, { ran: string; changed: string }>>

/** `PageProof` of `@octavo/model`. */
type Proof = {
  readonly date: string
  readonly passed: Readonly<Record<string, readonly string[]>>
}

/** Text that would cover tabs is transparent, until the reader points at the icon. */
const STYLES =
  '.oct-ran{position:absolute;top:.625rem;inset-inline-end:2.5rem;display:flex;align-items:center;gap:.25rem;background:var(--oct-code-ground);color:var(--oct-muted);font:.75rem/1.25rem var(--oct-font-body)}.oct-ran:before{content:"";width:.875rem;height:1.25rem;background:var(--oct-green);mask:var(--oct-sign-done)center/contain no-repeat}.oct-changed:before{background:currentColor;mask-image:var(--oct-sign-note)}.oct-short:not(:hover,:focus){font-size:0}'
/** This script is at `<base>/_octavo/host.js`. */
const base = new URL('..', import.meta.url).pathname
const { lang } = document.documentElement

// This script loads asynchronously, so the page may not be complete yet.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
else void start()

async function start(): Promise<void> {
  const blocks = document.querySelectorAll<HTMLElement>('[data-sample]')
  if (!blocks[0]) return
  const page = location.pathname.slice(base.length).replace(/\/$/, '') || 'index'
  const response = await fetch(`${base}_octavo/proof/${page}.json`)
  // Without results for this page, the host sends no content.
  if (response.status !== 200) return
  const { date, passed } = (await response.json()) as Proof
  const words = SAMPLE_WORDS[lang] ?? SAMPLE_WORDS.en
  const styles = new CSSStyleSheet()
  styles.replaceSync(STYLES)
  document.adoptedStyleSheets.push(styles)
  for (const block of blocks) {
    const [language = '', hash = ''] = block.dataset.sample?.split(' ') ?? []
    const known = passed[language]
    if (!known || !words) continue
    const badge = document.createElement('span')
    const isSame = known.includes(hash)
    badge.className = isSame ? 'oct-ran' : 'oct-ran oct-changed'
    const at = new Date(date)
    badge.title = at.toLocaleDateString(lang)
    badge.textContent = isSame ? words.ran.replace('{time}', timeSince(at)) : words.changed
    block.append(badge)
    new ResizeObserver(() => shorten(badge)).observe(block)
  }
}

/** Returns the time in days, such as "yesterday" or "3 days ago". */
function timeSince(at: Date): string {
  const days = Math.round((at.setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / 864e5)
  return new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(days, 'day')
}

/** Shows only the icon if the text would cover tabs. */
function shorten(badge: HTMLElement): void {
  badge.classList.remove('oct-short')
  const { left, right } = badge.getBoundingClientRect()
  const group = badge.closest('.oct-code-group')
  for (const control of group?.querySelectorAll('label,select,[role=tab]') ?? []) {
    const box = control.getBoundingClientRect()
    if (box.left > right || box.right < left) continue
    badge.classList.add('oct-short')
    badge.tabIndex = 0
  }
}
