/** Fills the dialog of the playground for the operation that a button belongs to. */
import { createElement, render } from 'preact'
import { serverUrl } from './build-request.ts'
import { loadOperation, type OperationData } from './load-operation.ts'
import { Playground } from './playground.tsx'
import { recall } from './remembered.ts'
import { initialState, type PageTools } from './request-state.ts'
import { readLink } from './share-link.ts'
import { Words } from './use-words.ts'

declare const PLAYGROUND_STYLES: string

export async function fillPlayground(
  dialog: HTMLDialogElement,
  input: {
    readonly button: HTMLElement
    /** The content of the operation's file. */
    readonly data: string
    readonly tools: PageTools
  },
): Promise<void> {
  addStyles()
  const data = JSON.parse(input.data) as OperationData
  dialog.ariaLabel = data.page.title
  const operation = await loadOperation(data, input.button, input.tools)
  const fresh = readLink(location.hash, operation, initialState(operation))
  const kept = recall(serverUrl(operation, fresh))
  const credentials = new Map([...fresh.credentials, ...(kept ?? [])])
  const first = { ...fresh, credentials }
  const onClose = () => dialog.close()
  const content = createElement(Playground, { operation, first, onClose })
  render(createElement(Words.Provider, { value: operation.settings.words }, content), dialog)
  dialog.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus()
}

/** The policy of a page forbids style elements, but not sheets that a script creates. */
function addStyles(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(PLAYGROUND_STYLES)
  document.adoptedStyleSheets.push(sheet)
}
