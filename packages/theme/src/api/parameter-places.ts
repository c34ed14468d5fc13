/** Where parameters stand in a request, in the order in which they are shown. */
export const PARAMETER_PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
  ['cookie', 'Cookies'],
] as const
