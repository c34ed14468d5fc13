/**
 * Draws diagrams in the place of their source, in the colours of the site, again when these change.
 * The library comes from the site's own folder, and only to readers who come near a diagram.
 */
import type { Mermaid } from 'mermaid'
import { siteColors } from './site-colors.ts'

/** Far enough for a drawing to be ready, and for what it moves to be out of sight. */
const MARGIN = '800px'

type Drawing = { readonly source: HTMLElement; readonly place: HTMLElement }

export function drawDiagrams(): void {
  const drawings = new Set<Drawing>()
  const draw = createQueue()
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        near.unobserve(target)
        const drawing = createDrawing(target as HTMLElement)
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

function createDrawing(source: HTMLElement): Drawing {
  const place = document.createElement('div')
  place.className = 'oct-drawing'
  source.before(place)
  return { source, place }
}

/** One after the other: the library has one set of colours at a time. */
function createQueue(): (drawing: Drawing) => void {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  return (drawing) => {
    count += 1
    const id = `oct-diagram-${count}`
    // A mistake in one diagram leaves its source, and goes on with the others.
    last = last.then(() => drawOne(drawing, id)).catch(console.error)
  }
}

async function drawOne({ source, place }: Drawing, id: string): Promise<void> {
  const { mermaid } = await loadMermaid()
  const isDark = isDarkNow()
  mermaid.initialize({
    startOnLoad: false,
    // An author's text never becomes markup or script of the page.
    securityLevel: 'strict',
    suppressErrorRendering: true,
    theme: 'base',
    darkMode: isDark,
    themeVariables: siteColors(isDark),
    fontFamily: 'inherit',
  })
  const { svg } = await mermaid.render(id, source.textContent ?? '')
  place.innerHTML = svg
  source.hidden = true
}

function isDarkNow(): boolean {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

/** The builder compiles the library once and gives it this name. */
declare const MERMAID_URL: string

function loadMermaid(): Promise<{ readonly mermaid: Mermaid }> {
  return import(MERMAID_URL)
}
