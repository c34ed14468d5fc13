/**
 * Who may read an output of a site. One label decides on every surface: the page, its Markdown, its
 * feed, its place in search and in the navigation of other pages.
 *
 * Labels are ordered. Everybody has `public`; readers whom the protection of the site lets in have
 * `default`; and a reader who is in any group has passed that protection, so has `default` too.
 */

/**
 * The label of one page: `public` was written, nothing was written (`default`: the protection of the
 * site decides when somebody asks), or the groups that may read it. Without a group nobody may.
 */
export type AccessLabel = 'public' | 'default' | readonly string[]

/** Readers with one label, with any of several, or with all of several. */
export type Access =
  | AccessLabel
  | { readonly any: readonly AccessLabel[] }
  | { readonly all: readonly AccessLabel[] }

/** A part of an output, in bytes, that is left out for readers without access. */
export type AccessRange = {
  readonly start: number
  readonly end: number
  readonly access: Access
}
