/** Turns the data of an operation's file into an operation, and loads what it lacks. */
import type {
  OperationPage,
  ParameterData,
  SharedPart,
  SpecificationFrame,
} from '@octavo/openapi/browser'
import { Fragments } from '../page/fragments.ts'
import { PartLibrary } from './part-library.ts'
import type { Operation, PageTools, PlaygroundSettings } from './request-state.ts'

/** The content of an operation's file. */
export type OperationData = {
  readonly settings: PlaygroundSettings
  /** Undefined if it is too large for the file. */
  readonly frame?: SpecificationFrame
  readonly page: OperationPage
  readonly parts: readonly SharedPart[]
}

export async function loadOperation(
  { settings, frame, page, parts }: OperationData,
  button: HTMLElement,
  tools: PageTools,
): Promise<Operation> {
  const fragments = Fragments.of(button)
  const library = await new PartLibrary({
    fragments,
    frame: frame ?? ((await fragments.load('frame')) as SpecificationFrame),
    parts: new Map(parts.map((part) => [part.ref, part])),
  }).with(linksOf(page))
  const described = (page.parameters ?? []).flatMap((written) => {
    if (!('ref' in written)) return [written]
    const part = library.part(written.ref)
    return part?.kind === 'parameter' ? [part.parameter] : []
  })
  return {
    page,
    library,
    settings,
    tools,
    parameters: [...described, ...undescribedInPath(page, described)],
    body: bodyOf(page, library),
  }
}

/** Returns the links that must be followed before the form can be shown. */
function linksOf({ parameters = [], body }: OperationPage): readonly string[] {
  return [...parameters, body].flatMap((one) => (one && 'ref' in one ? one.ref : []))
}

function bodyOf({ body }: OperationPage, library: PartLibrary): Operation['body'] {
  if (body === undefined || !('ref' in body)) return body
  const part = library.part(body.ref)
  return part?.kind === 'body' ? part.body : undefined
}

/**
 * Returns path parameters that the specification does not describe, since they need a value too.
 */
function undescribedInPath(
  { path }: OperationPage,
  described: readonly ParameterData[],
): readonly ParameterData[] {
  const known = new Set(described.filter((one) => one.in === 'path').map(({ name }) => name))
  const names = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))
  return [...names]
    .filter((name) => !known.has(name))
    .map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: { types: ['string'] },
    }))
}
