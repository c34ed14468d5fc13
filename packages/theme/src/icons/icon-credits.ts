/** Attributions that the icons' licenses require in every copy. */
const CREDITS = {
  fontawesome: 'Font Awesome Free by Fonticons, CC BY 4.0, fontawesome.com/license/free',
  lucide: 'Lucide, ISC, lucide.dev/license',
  tabler: 'Tabler Icons by Paweł Kuna, MIT, tabler.io/icons',
}

/** Returns the attribution for the symbol with an ID. */
export function creditOf(id: string): string {
  if (id.startsWith('lucide-')) return CREDITS.lucide
  return id.startsWith('tabler-') ? CREDITS.tabler : CREDITS.fontawesome
}
