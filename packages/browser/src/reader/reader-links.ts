/**
 * Adds controls for the current reader to the pages of a private site: sign-in or sign-out, and the
 * playground for signed-in readers. The service adds this script; it is not part of the deployment.
 */

/** Whether the reader is signed in. The service prepends this to the script. */
declare const IS_SIGNED_IN: boolean
/** Link text by language. */
declare const READER_WORDS: Readonly<Record<string, { signIn: string; signOut: string }>>

/** This script is at `<base>/_octavo/host.js`. */
const base = new URL('..', import.meta.url).pathname.replace(/\/$/, '')
const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector)

// This script loads asynchronously, so the page may not be complete yet.
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start)
else start()

function start(): void {
  addLink()
  // The download is removed, since a specification may contain more than the pages that the reader
  // may see.
  for (const entry of all('.oct-page-menu a[download]')) (entry.closest('li') ?? entry).remove()
  if (!IS_SIGNED_IN) return
  for (const control of all('[data-signed-in]')) {
    control.dataset.oct = control.dataset.signedIn
    control.hidden = false
  }
}

function addLink(): void {
  const styles = new CSSStyleSheet()
  styles.replaceSync(
    ".oct-reader{flex:none;order:9;color:var(--oct-strong);font:500 .875rem var(--oct-font-body);text-decoration:none;white-space:nowrap}.oct-reader:hover{text-decoration:underline}@media(width<60rem){.oct-reader{font-size:0}.oct-reader:before{content:\"\";display:block;width:1.25rem;height:1.25rem;background:currentColor;mask:url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='1.75' stroke-linecap='round'%3E%3Ccircle cx='12' cy='8' r='4'/%3E%3Cpath d='M4 20c2-8 14-8 16 0'/%3E%3C/svg%3E\")}}",
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
