/**
 * Adds a button, keyboard shortcuts and links that load and open the assistant's panel, on every
 * page of a site with an assistant. This code is part of the host's script, so sites that were
 * built long ago have the assistant too.
 */
import type { Asked, Panel } from './panel.ts'

/** The panel's file name without its language. */
declare const PANEL_NAME: string
/** The label of the button by language. The service prepends it to this script. */
declare const ASK_WORDS: Readonly<Record<string, string>>

/** From this window width on, the panel is next to the text and does not cover the page. */
const DOCKED_WIDTH = 1200

const root = document.documentElement
const { lang } = root

const load = (): Promise<Panel> =>
  import(new URL(`assistant/${PANEL_NAME}-${lang || 'en'}.js`, import.meta.url).href)
const open = (asked: Asked) => void load().then((panel) => panel.openPanel(asked))
const toggle = (opener?: HTMLElement) => void load().then((panel) => panel.togglePanel(opener))

// Authors can turn off the assistant on a page.
if (!document.querySelector('[name="octavo:assistant"][content=off]')) start()

function start(): void {
  addButton()
  // The search dialog and the page menu, which are part of the site, check this attribute.
  root.dataset.assistant = ''
  for (const entry of document.querySelectorAll<HTMLElement>('[data-assistant][hidden]')) {
    entry.hidden = false
    entry.onclick = () => open({ opener: entry })
  }
  document.addEventListener('octavo-ask', ({ detail }: CustomEventInit) => open(detail))
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    if (!(ctrlKey || metaKey) || altKey || shiftKey || key.toLowerCase() !== 'i') return
    event.preventDefault()
    toggle()
  })
  const question = new URLSearchParams(location.search).get('assistant')
  if (question !== null) open({ question, isLinked: true })
  else if (innerWidth >= DOCKED_WIDTH && wasOpen()) open({ isReturn: true })
}

/**
 * Adds the button to the header: on small screens as an icon, and on phones only if there is no
 * call to action. On older sites, the search field takes the icon's place, so the icon is at the
 * end of the field.
 */
function addButton(): void {
  const styles = new CSSStyleSheet()
  styles.replaceSync(
    `.oct-ask{flex:none;display:var(--oct-ask,flex);align-items:center;gap:.5rem;height:2.25rem;margin-inline:-.25rem auto;padding-inline:.75rem;z-index:1;border:1px solid var(--oct-line-strong);border-radius:var(--oct-radius);background:var(--oct-raised);color:var(--oct-strong);font:500 .875rem var(--oct-font-body);cursor:pointer}.oct-ask:hover{background:var(--oct-hover)}.oct-ask:before{content:"";width:1rem;height:1rem;background:currentColor;mask:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='1.75' stroke-linecap='round' stroke-linejoin='round'%3E%3Cpath d='m11 4-2 5-5 2 5 2 2 5 2-5 5-2-5-2zM19 2v5M16.5 4.5h5M19 17v4M17 19h4'/%3E%3C/svg%3E")}@media(width<60rem){.oct-ask{margin-inline:var(--oct-ask-start,-3rem) 0;padding-inline:.5625rem;border:0;background:none;font-size:0;gap:0}}`,
  )
  document.adoptedStyleSheets.push(styles)
  const button = document.createElement('button')
  button.className = 'oct-ask'
  button.textContent = ASK_WORDS[lang] ?? ASK_WORDS.en ?? ''
  button.setAttribute('aria-keyshortcuts', 'Control+I Meta+I')
  button.onclick = () => toggle(button)
  // On a page without search, the button is at the end of the header.
  const search = document.querySelector('.oct-search,.oct-header-row>:last-child')
  search?.after(button)
}

/**
 * Checks whether the panel was open on the previous page. Reading throws if storage is disabled.
 */
function wasOpen(): boolean {
  try {
    return sessionStorage.getItem('octavo-assistant') !== null
  } catch {
    return false
  }
}
