/** Where parameters stand in a request, in the order in which they are shown, with their words. */
export const PARAMETER_PLACES = [
  ['path', 'apiPath'],
  ['query', 'apiQuery'],
  ['header', 'apiHeaders'],
  ['cookie', 'apiCookies'],
] as const
