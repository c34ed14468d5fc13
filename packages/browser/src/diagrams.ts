/**
 * Replaces the source of diagrams with drawings in the site's colors, and draws them again when the
 * colors change. The library is hosted by the site and loaded only when a diagram comes near the
 * viewport.
 */
import type { Mermaid } from 'mermaid'
import { siteColors } from './site-colors.ts'

/**
 * How far outside the viewport a diagram is drawn: it is then ready in time, and layout shifts are
 * not visible.
 */
const MARGIN = '800px'

type Drawing = {
  readonly source: HTMLElement
  readonly place: HTMLElement
  readonly enlarge: HTMLButtonElement
}

/** Draws the diagrams of the page; `word` returns interface text by its name. */
export function drawDiagrams(word: (name: string) => string): void {
  const drawings = new Set<Drawing>()
  const draw = createQueue()
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        near.unobserve(target)
        const drawing = createDrawing(target as HTMLElement, word)
        drawings.add(drawing)
        draw(drawing)
      }
    },
    { rootMargin: MARGIN },
  )
  for (const source of document.querySelectorAll('[data-oct=mermaid]')) near.observe(source)
  const drawAgain = () => drawings.forEach(draw)
  const look = matchMedia('(prefers-color-scheme: dark)')
  look.addEventListener('change', drawAgain)
  new MutationObserver(drawAgain).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  })
}

function createDrawing(source: HTMLElement, word: (name: string) => string): Drawing {
  const place = document.createElement('div')
  place.className = 'oct-drawing'
  source.before(place)
  const enlarge = document.createElement('button')
  enlarge.type = 'button'
  enlarge.className = 'oct-enlarge'
  enlarge.ariaLabel = word('enlarge')
  enlarge.hidden = true
  enlarge.addEventListener('click', () => {
    const picture = place.firstElementChild?.cloneNode(true)
    if (!(picture instanceof Element)) return
    const labels = { label: word('enlarge'), closeLabel: word('close') }
    void import('./zoom.ts').then(({ showLarge }) => showLarge(picture, labels))
  })
  // Authors can disable the button with `actions={false}`.
  if (source.closest('figure')?.dataset.actions !== 'false') place.after(enlarge)
  return { source, place, enlarge }
}

/**
 * Returns a function that draws one diagram after another, because the colors of the library are
 * global.
 */
function createQueue(): (drawing: Drawing) => void {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  return (drawing) => {
    count += 1
    const id = `oct-diagram-${count}`
    // If drawing a diagram fails, its source stays visible, and the others are still drawn.
    last = last.then(() => drawOne(drawing, id)).catch(console.error)
  }
}

async function drawOne({ source, place, enlarge }: Drawing, id: string): Promise<void> {
  const { mermaid } = await loadMermaid()
  const isDark = isDarkNow()
  mermaid.initialize({
    startOnLoad: false,
    // An author's text must never become HTML or a script of the page.
    securityLevel: 'strict',
    dompurifyConfig: { FORBID_TAGS: ['img', 'image', 'iframe', 'video', 'audio', 'form', 'input'] },
    suppressErrorRendering: true,
    look: 'classic',
    theme: 'base',
    darkMode: isDark,
    themeVariables: siteColors(isDark),
    fontFamily: 'inherit',
  })
  const { svg } = await mermaid.render(id, source.textContent ?? '')
  place.innerHTML = svg
  source.hidden = true
  enlarge.hidden = false
}

function isDarkNow(): boolean {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

/** The URL of the library, which the builder compiles. */
declare const MERMAID_URL: string

function loadMermaid(): Promise<{ readonly mermaid: Mermaid }> {
  return import(MERMAID_URL)
}
