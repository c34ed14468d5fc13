/**
 * Locations of parameters in a request, in display order, each with the name of its interface text.
 */
export const PARAMETER_PLACES = [
  ['path', 'apiPath'],
  ['query', 'apiQuery'],
  ['header', 'apiHeaders'],
  ['cookie', 'apiCookies'],
] as const
