/** Access to a page together with the data it shares with other pages. */
import type { Json } from '../document/spec-document.ts'
import type {
  OperationPage,
  SchemaData,
  SecurityAlternative,
  ServerData,
  SharedPart,
  SpecificationFrame,
} from './page-data.ts'
import type { Direction } from './sample-value.ts'

export type PageContext = {
  readonly frame: SpecificationFrame
  /** Returns the part of a link; undefined if it is broken. */
  readonly part: (ref: string) => SharedPart | undefined
}

/** Returns the servers of the operation or its path, or else of the document. */
export function serversOf(page: OperationPage, { frame }: PageContext): readonly ServerData[] {
  return (page.kind === 'webhook' ? page.servers : (page.servers ?? frame.servers)) ?? []
}

/** Returns the operation's `security`, or else the document's; webhooks have only their own. */
export function securityOf(
  page: OperationPage,
  { frame }: PageContext,
): readonly SecurityAlternative[] {
  return (page.kind === 'webhook' ? page.security : (page.security ?? frame.security)) ?? []
}

/** Returns a sample value: generated for this place, or for the schema that it links to. */
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
