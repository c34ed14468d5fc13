/**
 * Enhances the dashboard: copy buttons, menus that close, light and dark theme, current times and
 * live build logs. All pages also work without this script.
 */
import { copyFor } from '../page/copy.ts'
import { followLog, reloadWhenReady } from './follow.ts'
import { startPasskeys } from './passkey.ts'
import { updateRelativeTimes } from './relative-times.ts'
import { countSelected, hideToast } from './selection.ts'

const ALL_YEAR_SECONDS = 31_536_000

for (const control of document.querySelectorAll<HTMLElement>('[data-copy],[data-theme-switch]'))
  control.hidden = false
for (const control of document.querySelectorAll<HTMLElement>('[data-without-script]'))
  control.hidden = true

startPasskeys()

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false
  const copy = target.closest<HTMLElement>('[data-copy]')
  if (copy !== null) void copyOf(copy)
  if (target.closest('[data-theme-switch]') !== null) switchTheme()
})

document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  for (const menu of openMenus()) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

document.addEventListener('change', ({ target }) => {
  if (target instanceof Element)
    target.closest<HTMLFormElement>('form[data-submit-on-change]')?.requestSubmit()
})

updateRelativeTimes()
countSelected()
hideToast()
const log = document.querySelector<HTMLElement>('[data-log]')
if (log !== null) void followLog(log)
const waiting = document.querySelector<HTMLElement>('[data-poll]')
if (waiting !== null) void reloadWhenReady(waiting.dataset.poll ?? '')

function openMenus(): readonly HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('.menu[open]')]
}

async function copyOf(button: HTMLElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? '')
  const text = source instanceof HTMLInputElement ? source.value : (source?.textContent ?? '')
  const label = button.querySelector('span')
  await copyFor(button, text, () => {
    if (label === null) button.ariaLabel = 'Copied'
    else label.textContent = 'Copied'
  })
}

/**
 * Stores the theme in a cookie, so that the service renders the next page with it, without a flash.
 */
function switchTheme(): void {
  const { dataset } = document.documentElement
  const isDark =
    dataset.theme === 'dark' ||
    (dataset.theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
  const next = isDark ? 'light' : 'dark'
  dataset.theme = next
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox ESR do not support the Cookie Store API.
  document.cookie = `octavo-theme=${next};path=/;max-age=${ALL_YEAR_SECONDS};samesite=lax`
}
