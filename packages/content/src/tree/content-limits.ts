/** All limits for parsing a page. The documentation contains this table. */
export const CONTENT_LIMITS = {
  /** Characters in one page or snippet. */
  pageSizeMax: 2 * 1024 * 1024,
  /** Open brackets `(`, `[` and `{`: expression parsers recurse on them. */
  bracketDepthMax: 256,
  /** Operators in one chain without a comma or semicolon: parsers recurse on them too. */
  chainLengthMax: 2_000,
  /** Characters of one block that have a meaning in Markdown. A block ends at a blank line. */
  blockSignsMax: 20_000,
  /** Braces in one block. Each starts an expression. */
  blockBracesMax: 4_000,
  /** List and quote markers at the start of one line. */
  lineMarkersMax: 100,
  /** Tags open at the same time, estimated before the page is parsed. */
  openTagsMax: 2_000,
  /** Nesting depth of the page tree. */
  treeDepthMax: 200,
  /** Nodes of one page, including snippets. */
  nodesMax: 300_000,
  /** Syntax errors of one page that are repaired. */
  repairsMax: 100,
  /** Characters that are parsed again because of syntax errors, after the first ten errors. */
  repairSizeMax: 200_000,
  /** Steps of all expressions of one page. */
  stepsMax: 2_000_000,
  /** Nested calls and operators in expressions. */
  evaluationDepthMax: 400,
  /** Characters in a string that an expression creates. */
  textLengthMax: 1024 * 1024,
  /** Items in a list that an expression creates. */
  listLengthMax: 50_000,
  /** Nesting depth of blocks from other tools, such as `:::note`. */
  foreignDepthMax: 20,
  /** Nesting depth of snippets. */
  snippetDepthMax: 32,
  /**
   * The number of characters in the options of a code fence, and of lines that the options refer
   * to.
   */
  fenceOptionsMax: 4_000,
} as const
