/** A file of a font that goes into the site. */
export type FontFile = {
  /** As docs.json names it. */
  readonly family: string
  readonly bytes: Uint8Array
  readonly format: 'woff' | 'woff2'
  /** `400`, or `100 900` of a font that has all of them; nothing where nobody knows. */
  readonly weight: string | undefined
  readonly style: 'normal' | 'italic'
  /** Letters that are in it, as CSS writes them; all without it. */
  readonly range: string | undefined
  /** Every page needs it: the others are loaded with the letters that they have. */
  readonly isMain: boolean
}

/** Whatever a server or a package calls it: what a browser would read as a font. */
export function fontFormat(bytes: Uint8Array): FontFile['format'] | undefined {
  const mark = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.length)).toString(
    'latin1',
  )
  if (mark === 'wOF2') return 'woff2'
  return mark === 'wOFF' ? 'woff' : undefined
}
