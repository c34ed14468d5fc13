/**
 * Replaces letters that have a math variant, such as bold or blackboard letters. MathML Core only
 * supports `mathvariant="normal"`, so each of them is written as its own Unicode character.
 */

type Variant = {
  /** Code points of A, a and 0, if the variant has them. */
  readonly upper?: number
  readonly lower?: number
  readonly digits?: number
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  bold: { upper: 0x1d400, lower: 0x1d41a, digits: 0x1d7ce },
  italic: { upper: 0x1d434, lower: 0x1d44e },
  'bold-italic': { upper: 0x1d468, lower: 0x1d482 },
  script: { upper: 0x1d49c, lower: 0x1d4b6 },
  'bold-script': { upper: 0x1d4d0, lower: 0x1d4ea },
  fraktur: { upper: 0x1d504, lower: 0x1d51e },
  'double-struck': { upper: 0x1d538, lower: 0x1d552, digits: 0x1d7d8 },
  'bold-fraktur': { upper: 0x1d56c, lower: 0x1d586 },
  'sans-serif': { upper: 0x1d5a0, lower: 0x1d5ba, digits: 0x1d7e2 },
  'bold-sans-serif': { upper: 0x1d5d4, lower: 0x1d5ee, digits: 0x1d7ec },
  'sans-serif-italic': { upper: 0x1d608, lower: 0x1d622 },
  'sans-serif-bold-italic': { upper: 0x1d63c, lower: 0x1d656 },
  monospace: { upper: 0x1d670, lower: 0x1d68a, digits: 0x1d7f6 },
}

/**
 * Letters that were in Unicode before the variants were added; their code points in the variants
 * are unassigned.
 */
const OLDER: ReadonlyMap<number, string> = new Map(
  Object.entries({
    119893: 'ℎ',
    119965: 'ℬ',
    119968: 'ℰ',
    119969: 'ℱ',
    119971: 'ℋ',
    119972: 'ℐ',
    119975: 'ℒ',
    119976: 'ℳ',
    119981: 'ℛ',
    119994: 'ℯ',
    119996: 'ℊ',
    120004: 'ℴ',
    120070: 'ℭ',
    120075: 'ℌ',
    120076: 'ℑ',
    120085: 'ℜ',
    120093: 'ℨ',
    120122: 'ℂ',
    120127: 'ℍ',
    120133: 'ℕ',
    120135: 'ℙ',
    120136: 'ℚ',
    120137: 'ℝ',
    120145: 'ℤ',
  }).map(([code, letter]) => [Number(code), letter]),
)

const VARIED = /<(m[ion]|mtext)([^>]*?) mathvariant="([a-z-]+)"([^>]*)>([^<]*)/g

/** Replaces `mathvariant` attributes with the corresponding Unicode letters. */
export function writeVariants(mathml: string): string {
  if (!mathml.includes('mathvariant="')) return mathml
  return mathml.replaceAll(
    VARIED,
    (whole, tag: string, before: string, name: string, after: string, text: string) => {
      const variant = Object.hasOwn(VARIANTS, name) ? VARIANTS[name] : undefined
      if (variant === undefined) return whole
      // Words stay plain letters, since they are read aloud and copied.
      if (tag === 'mtext') return `<mtext${before}${after} class="oct-${name}">${text}`
      return `<${tag}${before}${after}>${replaceLetters(text, variant)}`
    },
  )
}

function replaceLetters(text: string, { upper, lower, digits }: Variant): string {
  // A character reference such as `&lt;` does not consist of letters.
  return text.replaceAll(/&[a-z]+;|[A-Za-z\d]/g, (sign) => {
    if (sign.length > 1) return sign
    const code = sign.charCodeAt(0)
    if (code <= 57) return digits === undefined ? sign : letter(digits + code - 48)
    if (code <= 90) return upper === undefined ? sign : letter(upper + code - 65)
    return lower === undefined ? sign : letter(lower + code - 97)
  })
}

function letter(code: number): string {
  return OLDER.get(code) ?? String.fromCodePoint(code)
}
