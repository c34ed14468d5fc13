/**
 * The samples of a body that has alternatives, one for each, so that the sample next to the text
 * can follow the alternative that a reader chose.
 */
import { isJsonType } from '../document/json-type.ts'
import type { Json } from '../document/spec-document.ts'
import { type MergedSchema, mergeSchema } from './merge-schema.ts'
import { type PageContext, sampleOf } from './page-context.ts'
import type { MediaData, OperationPage, SchemaData } from './page-data.ts'

export type SampleVariants = {
  readonly choice: MergedSchema['choices'][number]
  readonly discriminator: MergedSchema['discriminator']
  /** The body for each option of the choice, in order. */
  readonly values: readonly Json[]
}

/** More alternatives would make a page heavy. */
const OPTIONS_MAX = 5

/** Returns the media type of a body that samples have: the first JSON type, or else the first. */
export function sampledMedia(page: OperationPage, { part }: PageContext): MediaData | undefined {
  const written = page.body
  const shared = written !== undefined && 'ref' in written ? part(written.ref) : undefined
  const body = written !== undefined && 'ref' in written ? undefined : written
  const content = (shared?.kind === 'body' ? shared.body : body)?.content
  return content?.find(({ type }) => isJsonType(type)) ?? content?.[0]
}

/**
 * Returns the samples for the alternatives of the body, or of its first property that has
 * alternatives. An author's example does not follow a choice.
 */
export function sampleVariants(
  page: OperationPage,
  context: PageContext,
): SampleVariants | undefined {
  const media = sampledMedia(page, context)
  if (media?.schema === undefined || !isJsonType(media.type)) return undefined
  if ((media.examples ?? []).length > 0) return undefined
  const whole = sampleOf(media, 'request', context)
  if (!isRecord(whole)) return undefined
  const merged = mergeIn(media.schema, context)
  const variants = variantsOf(merged, whole, context)
  if (variants !== undefined) return variants
  for (const { name, schema } of merged.properties ?? []) {
    const value = Object.hasOwn(whole, name) ? whole[name] : undefined
    const inside = isRecord(value)
      ? variantsOf(mergeIn(schema, context), value, context)
      : undefined
    if (inside === undefined) continue
    return { ...inside, values: inside.values.map((one) => ({ ...whole, [name]: one })) }
  }
  return undefined
}

function mergeIn(schema: SchemaData, { part }: PageContext): MergedSchema {
  return mergeSchema(schema, (ref) => {
    const shared = part(ref)
    return shared?.kind === 'schema' ? shared.schema : undefined
  })
}

type Values = { readonly [name: string]: Json }

/**
 * Replaces what the first option adds to a sample by what each option adds. Options are named
 * schemas: only these have samples of their own.
 */
function variantsOf(
  { choices, discriminator }: MergedSchema,
  whole: Values,
  context: PageContext,
): SampleVariants | undefined {
  const [choice, ...others] = choices
  if (choice === undefined || others.length > 0) return undefined
  if (choice.of.length < 2 || choice.of.length > OPTIONS_MAX) return undefined
  const samples = choice.of.map(({ ref }) =>
    ref === undefined ? undefined : context.requestSample?.(ref),
  )
  const [first] = samples
  if (!samples.every(isRecord) || !isRecord(first)) return undefined
  if (!Object.keys(first).every((name) => Object.hasOwn(whole, name))) return undefined
  const rest = Object.entries(whole).filter(([name]) => !Object.hasOwn(first, name))
  const values = samples.map((sample, index) => {
    const ref = choice.of[index]?.ref
    const name = discriminator?.mapping?.find(([, target]) => target === ref)?.[0]
    const kind =
      discriminator === undefined || name === undefined ? [] : [[discriminator.property, name]]
    return Object.fromEntries([...Object.entries(sample), ...rest, ...kind])
  })
  return { choice, discriminator, values }
}

function isRecord(value: Json | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
