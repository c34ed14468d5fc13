/**
 * What a private site adds to its pages for a reader: the way in or out, and the playground for those who are
 * signed in. The service writes it; a deployment knows nothing of it.
 */

/** Written before this by the service. */
declare const IS_SIGNED_IN: boolean
/** By language. */
declare const READER_WORDS: Readonly<Record<string, { signIn: string; signOut: string }>>

/** This script is at `<base>/_octavo/host.js`. */
const base = new URL('..', import.meta.url).pathname.replace(/\/$/, '')
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector)

addLink()
// A specification holds more than the pages of one reader.
for (const entry of all('.oct-page-menu a[download]')) (entry.closest('li') ?? entry).remove()
if (IS_SIGNED_IN)
  for (const control of all('[data-signed-in]')) {
    control.dataset.oct = control.dataset.signedIn
    control.hidden = false
  }

function addLink(): void {
  const styles = new CSSStyleSheet()
  styles.replaceSync(
    '.oct-reader{flex:none;order:9;color:var(--oct-strong);font:500 .875rem var(--oct-font-body);text-decoration:none;white-space:nowrap}.oct-reader:hover{text-decoration:underline}',
  )
  document.adoptedStyleSheets.push(styles)
  const words = READER_WORDS[document.documentElement.lang] ?? READER_WORDS.en
  const link = document.createElement('a')
  link.className = 'oct-reader'
  const { pathname, search } = location
  link.href = IS_SIGNED_IN
    ? `${base}/logout`
    : `${base}/login?to=${encodeURIComponent(pathname + search)}`
  link.textContent = (IS_SIGNED_IN ? words?.signOut : words?.signIn) ?? ''
  link.rel = 'nofollow'
  document.querySelector('.oct-header-row')?.append(link)
}
