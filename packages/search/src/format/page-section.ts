/**
 * The content below one heading of a page. The first section of a page has neither ID nor heading.
 */
export type PageSection = {
  readonly id: string
  readonly heading: string
  readonly text: string
}
