/** Writes embedded pages: a player for videos, otherwise a card that links to the page. */

import { attribute } from './convert-blocks.ts'
import type { PartContext } from './convert-page.ts'

type Embed = {
  readonly written: string
  readonly options: ReadonlyMap<string, string>
  readonly inner: string
}

export function writeEmbed({ options, inner, written }: Embed, context: PartContext): string {
  const { report, placeOf, address } = context
  const url = options.get('url') ?? ''
  const player = playerOf(url)
  if (player !== undefined) {
    report.convert('embedded video')
    const frame = `<iframe src=${attribute(player)} title=${attribute(options.get('title') ?? 'Video')} className="w-full aspect-video" allowFullScreen></iframe>`
    if (inner === '') return frame
    return `<Frame caption=${attribute(inner.replaceAll(/\s+/g, ' '))}>\n\n${frame}\n\n</Frame>`
  }
  const parsed = URL.parse(url)
  if (parsed === null) {
    report.leave('The embedded page has no address.', placeOf(written))
    return inner
  }
  report.approximate('The embedded page is a card with a link now.', placeOf(written))
  const title = `${parsed.hostname.replace(/^www\./, '')}${parsed.pathname.replace(/\/$/, '')}`
  const card = `<Card title=${attribute(title)} href=${attribute(address(url))} horizontal />`
  return inner === '' ? card : `${card}\n\n${inner}`
}

/** Returns the address of a page with the player only. */
function playerOf(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (parsed?.protocol !== 'https:') return undefined
  const host = parsed.hostname.replace(/^www\./, '')
  const [first = '', second = '', third = ''] = parsed.pathname.slice(1).split('/')
  const id = (value: string | null) => (value !== null && /^[\w-]{1,80}$/.test(value) ? value : '')
  const found = (base: string, value: string | null) =>
    id(value) === '' ? undefined : `${base}${id(value)}`
  switch (host) {
    case 'youtu.be':
      return found('https://www.youtube.com/embed/', first)
    case 'youtube.com':
      if (first === 'watch')
        return found('https://www.youtube.com/embed/', parsed.searchParams.get('v'))
      return first === 'embed' || first === 'shorts' || first === 'live'
        ? found('https://www.youtube.com/embed/', second)
        : undefined
    case 'vimeo.com':
      return /^\d+$/.test(first) ? found('https://player.vimeo.com/video/', first) : undefined
    case 'loom.com':
      return first === 'share' || first === 'embed'
        ? found('https://www.loom.com/embed/', second)
        : undefined
    case 'drive.google.com': {
      const player =
        second === 'd' && first === 'file'
          ? found('https://drive.google.com/file/d/', third)
          : undefined
      return player === undefined ? undefined : `${player}/preview`
    }
    default:
      return undefined
  }
}
