/** The toast with which a person undoes a change to gaps. */
import { GapChange } from '@octavo/contract'
import type { HtmlPart } from '../../parts/html.ts'
import { toast } from '../../parts/toast.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { findApi } from '../../visit/call-api.ts'
import { formValue, type ProjectScreen } from '../../visit/screen.ts'
import { doneText } from './actions.ts'

/** How long the toast is shown if a person reloads the page. */
const SHOWN_MS = 10 * 60_000

export const changePath = (project: string, id: string, rest = '') =>
  apiPaths.project(project, `/gaps/changes/${encodeURIComponent(id)}${rest}`)

/** Renders the last change of this person with an Undo button. */
export async function changeToast(screen: ProjectScreen, from: string): Promise<HtmlPart> {
  const { url, visit, project, path, now } = screen
  const id = formValue(url.searchParams, 'changed')
  if (id === '') return undefined
  const change = await findApi(visit.api, GapChange, changePath(project.id, id))
  if (change === undefined || now - Date.parse(change.at) > SHOWN_MS) return undefined
  const { action, question, gaps, undone } = change
  if (undone) return toast({ text: 'Undone.' })
  return toast({
    text: doneText(action, question, gaps.length),
    undo: {
      action: path(`gaps/changes/${change.id}/undo`),
      token: visit.formToken,
      fields: from === 'gaps' ? { query: url.search.slice(1) } : { from },
    },
  })
}
