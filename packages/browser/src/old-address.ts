import { bareId, withoutAlternatives } from '@octavo/theme/browser'

/**
 * Redirects fragments that another tool spelled differently: `#fees-&-billing` for
 * `#fees--billing`, or an alternative of a field by its number.
 */
export function redirectOldFragment(): void {
  const wanted = bareId(withoutAlternatives(decode(location.hash)))
  const parts = document.querySelectorAll('main [id]')
  const meant = [...parts].find(({ id }) => bareId(id) === wanted)
  if (wanted !== '' && meant !== undefined) location.replace(`#${meant.id}`)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
