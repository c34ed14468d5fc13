/** Every limit of reading a page, in one place. The documentation prints this table. */
export const CONTENT_LIMITS = {
  /** Characters in one page or snippet. */
  pageSizeMax: 2 * 1024 * 1024,
  /** Brackets `(`, `[` and `{` open at once: the parsers of expressions recurse on them. */
  bracketDepthMax: 256,
  /** Operators in one chain that no comma and no semicolon breaks: parsers recurse on them too. */
  chainLengthMax: 2_000,
  /** Signs with a meaning in Markdown in one block, that is between two blank lines. */
  blockSignsMax: 20_000,
  /** Braces in one block. Each is an expression. */
  blockBracesMax: 4_000,
  /** List and quote signs at the start of one line. */
  lineMarkersMax: 100,
  /** Tags open at once, as far as can be told before the page is read. */
  openTagsMax: 2_000,
  /** Nesting of the page tree. */
  treeDepthMax: 200,
  /** Nodes of one page, snippets included. */
  nodesMax: 300_000,
  /** Mistakes in the syntax of one page that are worked around. */
  repairsMax: 100,
  /** Characters that are read again because of such mistakes, after the first ten. */
  repairSizeMax: 200_000,
  /** Steps of all expressions of one page together. */
  stepsMax: 2_000_000,
  /** Calls and operators inside one another in expressions. */
  evaluationDepthMax: 400,
  /** Characters in a text that an expression makes. */
  textLengthMax: 1024 * 1024,
  /** Items in a list that an expression makes. */
  listLengthMax: 50_000,
  /** Snippets inside snippets. */
  snippetDepthMax: 32,
  /** Characters in the options of a code fence, and lines that they name. */
  fenceOptionsMax: 4_000,
} as const
