import { bareId, withoutAlternatives } from '@octavo/theme/browser'

/**
 * Redirects a fragment in the form that another tool used, such as `#fees-&-billing` instead of
 * `#fees--billing`, or a field's ID that contains the number of an alternative.
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
