/** Helpers that combine a page with the data shared by several pages. */
import type { Json } from '../document/spec-document.ts'
import type { Direction } from '../values/value-context.ts'
import type {
  OperationPage,
  SchemaData,
  SecurityAlternative,
  ServerData,
  SharedPart,
  SpecificationFrame,
} from './page-data.ts'

export type PageContext = {
  readonly frame: SpecificationFrame
  /** Returns the shared part that a link refers to; undefined if the link is broken. */
  readonly part: (ref: string) => SharedPart | undefined
  /** Returns a sample of a linked schema in a request, also if it is only an alternative. */
  readonly requestSample?: (ref: string) => Json | undefined
}

/**
 * Returns the servers of the operation or its path. If they have none, returns those of the
 * document, but not for webhooks.
 */
export function serversOf(page: OperationPage, { frame }: PageContext): readonly ServerData[] {
  return (page.kind === 'webhook' ? page.servers : (page.servers ?? frame.servers)) ?? []
}

/** Returns the `security` of the operation, or else that of the document, but not for webhooks. */
export function securityOf(
  page: OperationPage,
  { frame }: PageContext,
): readonly SecurityAlternative[] {
  return (page.kind === 'webhook' ? page.security : (page.security ?? frame.security)) ?? []
}

/** Returns the sample value of a parameter or body: its own, or that of the linked schema. */
export function sampleOf(
  place: { readonly schema?: SchemaData; readonly sample?: { readonly value: Json } },
  direction: Direction,
  { part }: PageContext,
): Json | undefined {
  if (place.sample !== undefined) return place.sample.value
  const { ref, items, types } = place.schema ?? {}
  const linked = ref ?? (types?.length === 1 && types[0] === 'array' ? items?.ref : undefined)
  const shared = linked === undefined ? undefined : part(linked)
  if (shared?.kind !== 'schema') return undefined
  const sample = (direction === 'request' ? shared.requestSample : undefined) ?? shared.sample
  if (ref !== undefined) return sample?.value
  return sample === undefined ? [] : [sample.value]
}
