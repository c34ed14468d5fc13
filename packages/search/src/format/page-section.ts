/** What stands below one heading of a page. The first section of a page has neither id nor heading. */
export type PageSection = {
  readonly id: string
  readonly heading: string
  readonly text: string
}
