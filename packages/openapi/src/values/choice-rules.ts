import { parseFragment } from '../document/pointer.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { Mismatches } from './mismatch.ts'
import type { SchemaRules } from './schema-rules.ts'
import type { ValueContext } from './value-context.ts'

/** Checks the value itself against another schema. */
type Try = (schema: NodeId, found: Mismatches) => void

type Choice = {
  readonly rules: SchemaRules
  readonly key: 'oneOf' | 'anyOf'
  readonly list: NodeId
}

/**
 * Checks `oneOf` or `anyOf`. A value that matches several options of `oneOf` is accepted: overlapping
 * options are a mistake of the schema, not of its example. If no option matches, reports the
 * differences from the option that is clearly the nearest.
 */
export function checkChoice(
  value: NodeId,
  { rules, key, list }: Choice,
  { context, check }: { readonly context: ValueContext; readonly check: Try },
  found: Mismatches,
): void {
  const options = context.specification.document.items(list)
  const picked = pickOption(value, { rules, options }, context, found)
  if (picked === 'none') return
  if (picked !== undefined) {
    check(picked, found)
    return
  }
  const tried = options.map((option) => {
    const branch = new Mismatches()
    if (context.spend(1)) check(option, branch)
    return branch
  })
  const fitting = tried.filter(({ fits }) => fits)
  if (fitting.length > 0 || !context.spend(1)) {
    if (fitting.length !== 1 || !fitting[0]?.isSure) found.isSure = false
    return
  }
  const [nearest, second] = tried.toSorted((a, b) => distance(a, value) - distance(b, value))
  if (nearest === undefined) return
  const isClear = second === undefined || distance(nearest, value) < distance(second, value)
  if (isClear && distance(nearest, value) < ROOT_DISTANCE) {
    for (const mismatch of nearest.list) found.list.push(mismatch)
    return
  }
  found.add('type', value, list, () => {
    const [first] = nearest.list
    const closest = first === undefined ? '' : ` One of them: it ${first.text().message}`
    return {
      message: `matches none of the ${options.length} options of \`${key}\`.${closest}`,
      hint: `Write a value that matches one of the options, or add an option to \`${key}\`.`,
    }
  })
}

/** The distance to an option for another kind of value. */
const ROOT_DISTANCE = 1_000_000
/** Another constant usually means that another option is meant. */
const CHOICE_DISTANCE = 1_000

function distance({ list }: Mismatches, value: NodeId): number {
  let sum = 0
  for (const { kind, node } of list) {
    if (kind === 'rule') sum += 1
    else if (node === value) sum += ROOT_DISTANCE
    else sum += kind === 'choice' ? CHOICE_DISTANCE : 2
  }
  return sum
}

type Options = { readonly rules: SchemaRules; readonly options: readonly NodeId[] }

/**
 * Returns the option that the discriminator of a schema names. Returns `none` after reporting a
 * name that cannot be an option, and undefined if the discriminator does not decide.
 */
function pickOption(
  value: NodeId,
  { rules, options }: Options,
  { specification, values }: ValueContext,
  found: Mismatches,
): NodeId | 'none' | undefined {
  const { document } = specification
  const discriminator = rules.keywords.get('discriminator')
  const property = document.textField(discriminator, 'propertyName')
  const written = property === undefined ? undefined : values.field(value, property)
  if (written === undefined || values.kind(written) !== KIND.string) return undefined
  const name = values.text(written)
  const mapping = document.field(discriminator, 'mapping')
  const schemaOf = (text: string) => {
    const pointer = parseFragment(text) === undefined ? `#/components/schemas/${text}` : text
    return document.find(pointer)
  }
  const optionOf = (text: string) => {
    const schema = schemaOf(text)
    return options.find(
      (option) =>
        option === schema || (schema !== undefined && specification.follow(option) === schema),
    )
  }
  const mapped = document.textField(mapping, name)
  const option = optionOf(mapped ?? name)
  if (option !== undefined) return option
  const names = document.entries(mapping)
  const reached = new Set(names.map(([, target]) => optionOf(document.text(target))))
  const isComplete = options.every((one) => reached.has(one))
  if (mapped !== undefined || !isComplete || discriminator === undefined) return undefined
  found.add('choice', written, mapping ?? discriminator, () => ({
    message: `is \`${name}\`, which the discriminator does not map to a schema.`,
    hint: `Write one of ${names
      .slice(0, 5)
      .map(([known]) => `\`${known}\``)
      .join(', ')}, or add the value to \`mapping\`.`,
  }))
  return 'none'
}

/** Checks `not`. */
export function checkNot(value: NodeId, schema: NodeId, check: Try, found: Mismatches): void {
  const tried = new Mismatches()
  check(schema, tried)
  if (tried.fits && !tried.isSure) found.isSure = false
  if (!tried.fits || !tried.isSure) return
  found.add('rule', value, schema, () => ({
    message: 'matches a schema that `not` excludes.',
    hint: 'Change the value, or correct `not`.',
  }))
}

/** Checks `if`, `then` and `else`. */
export function checkCondition(
  { keywords }: SchemaRules,
  condition: NodeId,
  check: Try,
  found: Mismatches,
): void {
  const tried = new Mismatches()
  check(condition, tried)
  if (tried.fits && !tried.isSure) {
    found.isSure = false
    return
  }
  const branch = keywords.get(tried.fits ? 'then' : 'else')
  if (branch !== undefined) check(branch, found)
}
