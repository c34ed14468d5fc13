/** Opens the playground for the operation of a button. */
import type { OperationPage, ParameterData, SpecificationFrame } from '@octavo/openapi/browser'
import { render } from 'preact'
import { Fragments } from '../page/fragments.ts'
import { serverUrl } from './build-request.ts'
import { PartLibrary } from './part-library.ts'
import { Playground } from './playground.tsx'
import { recall } from './remembered.ts'
import {
  initialState,
  type Operation,
  type PageTools,
  type PlaygroundSettings,
} from './request-state.ts'
import { readLink } from './share-link.ts'
import { Words } from './use-words.ts'

type Frame = SpecificationFrame & { readonly settings: PlaygroundSettings }

export async function openPlayground(button: HTMLElement, tools: PageTools): Promise<void> {
  const before = document.querySelector<HTMLDialogElement>('dialog.oct-try-dialog')
  if (before !== null) {
    // Reopens it with the reader's earlier input.
    before.showModal()
    return
  }
  const dialog = document.createElement('dialog')
  dialog.className = 'oct-try-dialog'
  dialog.setAttribute('aria-label', button.dataset.operation ?? '')
  document.body.append(dialog)
  dialog.showModal()
  const operation = await loadOperation(button, tools)
  const fresh = readLink(location.hash, operation, initialState(operation))
  const kept = recall(serverUrl(operation, fresh))
  const first = kept === undefined ? fresh : { ...fresh, credentials: kept }
  render(
    <Words.Provider value={operation.settings.words}>
      <Playground operation={operation} first={first} onClose={() => dialog.close()} />
    </Words.Provider>,
    dialog,
  )
  dialog.querySelector<HTMLElement>('input, select, textarea')?.focus()
}

async function loadOperation(button: HTMLElement, tools: PageTools): Promise<Operation> {
  const fragments = Fragments.of(button)
  const [frame, page] = (await Promise.all([
    fragments.load('frame'),
    fragments.load(button.dataset.operation ?? ''),
  ])) as [Frame, OperationPage]
  const library = new PartLibrary(fragments, frame)
  await library.ensure([page.parameters, page.body])
  const body = page.body && 'ref' in page.body ? library.part(page.body.ref) : undefined
  const described = (page.parameters ?? []).flatMap((written) => {
    if (!('ref' in written)) return [written]
    const part = library.part(written.ref)
    return part?.kind === 'parameter' ? [part.parameter] : []
  })
  return {
    page,
    library,
    settings: frame.settings,
    tools,
    parameters: [...described, ...undescribedInPath(page, described)],
    body:
      page.body && 'ref' in page.body ? (body?.kind === 'body' ? body.body : undefined) : page.body,
  }
}

/**
 * Returns path parameters that the specification does not describe: without a value there is no
 * URL.
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
