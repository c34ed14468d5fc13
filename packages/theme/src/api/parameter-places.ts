/**
 * Locations of parameters in a request, in display order, with the names of their interface texts.
 */
export const PARAMETER_PLACES = [
  ['path', 'apiPath'],
  ['query', 'apiQuery'],
  ['header', 'apiHeaders'],
  ['cookie', 'apiCookies'],
] as const
