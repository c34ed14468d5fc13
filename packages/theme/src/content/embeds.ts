/** Default attributes of videos and iframes, for a stable layout, playback and accessible names. */
import type { Attributes } from '@octavo/content'

/**
 * Returns attributes for a video: it has controls, or plays automatically without sound. In a
 * `Frame` component it also loops.
 */
export function videoAttributes(attributes: Attributes, isFramed: boolean): Attributes {
  const added: Record<string, string | true> = {}
  const isMoving = attributes.autoplay !== undefined
  if (isMoving) {
    added.muted = true
    added.playsinline = true
    if (isFramed) added.loop = true
  } else added.controls = true
  if (attributes.preload === undefined && !isMoving) added.preload = 'metadata'
  const { alt, nozoom: _, ...written } = attributes
  if (typeof alt === 'string' && attributes['aria-label'] === undefined) added['aria-label'] = alt
  return { ...added, ...written }
}

const PIXELS = /^(\d{1,4})(?:px)?$/

/**
 * Returns attributes for an iframe, which has a title and keeps its aspect ratio at every width.
 */
export function frameAttributes(attributes: Attributes): Attributes {
  const width = pixels(attributes.width)
  const height = pixels(attributes.height)
  const shape = frameShape(width, height)
  const { style } = attributes
  // The author's style comes last, so that it wins.
  const look = [shape, style].filter((part) => typeof part === 'string' && part !== '').join('; ')
  return {
    ...attributes,
    ...(look === '' ? {} : { style: look }),
    ...(attributes.title === undefined ? { title: hostOf(attributes.src) } : {}),
  }
}

function pixels(value: string | true | undefined): number | undefined {
  const match = typeof value === 'string' ? PIXELS.exec(value.trim()) : null
  return match === null ? undefined : Number(match[1]) || undefined
}

function frameShape(width: number | undefined, height: number | undefined): string | undefined {
  if (height === undefined) return undefined
  return width === undefined
    ? `aspect-ratio: auto; height: ${height}px`
    : `aspect-ratio: ${width} / ${height}`
}

function hostOf(src: string | true | undefined): string {
  const host = typeof src === 'string' ? /^https?:\/\/([^/?#]+)/i.exec(src)?.[1] : undefined
  return host?.replace(/^www\./, '') ?? 'frame'
}
