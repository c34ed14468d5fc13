/** A parsed JSONPath (RFC 9535). */

export type Query = {
  /** True if the path starts at the value that a filter checks: `@` instead of `$`. */
  readonly isRelative: boolean
  readonly segments: readonly Segment[]
}

export type Segment = {
  /** True for `..`, which selects from a value and from everything inside it. */
  readonly isDescendant: boolean
  readonly selectors: readonly Selector[]
  /** The offset after the segment in the text of the path. */
  readonly end: number
}

export type Selector =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'index'; readonly index: number }
  | {
      readonly is: 'slice'
      readonly start: number | undefined
      readonly end: number | undefined
      readonly step: number
    }
  | { readonly is: 'wildcard' }
  | { readonly is: 'filter'; readonly condition: Condition }

export type Condition =
  | { readonly is: 'or' | 'and'; readonly conditions: readonly Condition[] }
  | { readonly is: 'not'; readonly condition: Condition }
  | { readonly is: 'exists'; readonly query: Query }
  | {
      readonly is: 'comparison'
      readonly left: Operand
      readonly sign: Sign
      readonly right: Operand
    }
  | { readonly is: 'match' | 'search'; readonly text: Operand; readonly pattern: Operand }

export type Sign = '==' | '!=' | '<' | '<=' | '>' | '>='

/** What a filter compares: at most one value. */
export type Operand =
  | { readonly is: 'literal'; readonly value: string | number | boolean | null }
  | { readonly is: 'query'; readonly query: Query }
  | { readonly is: 'length'; readonly of: Operand }
  | { readonly is: 'count' | 'value'; readonly of: Query }

/** Returns true if a path selects one value at most: it has names and indexes only. */
export function isSingular({ segments }: Query): boolean {
  return segments.every(({ isDescendant, selectors: [only, ...others] }) => {
    const isOne = only?.is === 'name' || only?.is === 'index'
    return !isDescendant && isOne && others.length === 0
  })
}
