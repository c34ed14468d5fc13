/** Reads a page together with what it shares with others. */
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
  /** The part of a link; nothing for one that is broken. */
  readonly part: (ref: string) => SharedPart | undefined
}

/** Servers of the operation or its path, else of the document. */
export function serversOf(page: OperationPage, { frame }: PageContext): readonly ServerData[] {
  return (page.kind === 'webhook' ? page.servers : (page.servers ?? frame.servers)) ?? []
}

/** The document's `security` holds unless the operation has its own; a webhook has only its own. */
export function securityOf(
  page: OperationPage,
  { frame }: PageContext,
): readonly SecurityAlternative[] {
  return (page.kind === 'webhook' ? page.security : (page.security ?? frame.security)) ?? []
}

/** A value that fits: made for this place, or for the schema that it links to. */
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
