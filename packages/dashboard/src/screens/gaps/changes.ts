/** Changes one or more gaps, asks for the page to link, and undoes a change. */
import { type GapAction, GapChange } from '@octavo/contract'
import { curlCommand } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { hiddenFields, textField } from '../../parts/form.ts'
import { html } from '../../parts/html.ts'
import { countOf } from '../../parts/number.ts'
import { apiPaths, withQuery } from '../../visit/api-paths.ts'
import { type FormProblem, sendApi } from '../../visit/call-api.ts'
import { type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { ACTIONS } from './actions.ts'
import { readGapFilter } from './filter.ts'
import { changePath } from './last-change.ts'
import { showGaps } from './list.ts'
import { showGap } from './show.ts'

type Wanted = {
  readonly action: GapAction
  readonly ids: readonly string[]
  readonly page: string
  /** The page to return to: a gap, or the list with a filter. */
  readonly gap: string
  readonly query: string
}

function readWanted(form: Form): Wanted | undefined {
  // A button in a row submits its own action and id, which apply instead of the selected rows.
  const [only = '', onlyId] = formValue(form, 'only').split('.')
  const name = only || formValue(form, 'do')
  const action = ACTIONS.find((one) => one.action === name)?.action
  if (action === undefined) return undefined
  return {
    action,
    ids: onlyId === undefined ? form.getAll('gap') : [onlyId],
    page: formValue(form, 'page'),
    gap: formValue(form, 'from'),
    query: withQuery('', readGapFilter(new URLSearchParams(formValue(form, 'query')))),
  }
}

export async function changeGaps(screen: ProjectScreen, form: Form): Promise<Response> {
  const wanted = readWanted(form)
  if (wanted === undefined) return redirect(screen.path('gaps'))
  const { action, ids, page } = wanted
  if (ids.length === 0)
    return showGaps(screen, problemOf('No gap is selected. Select at least one gap.'))
  if (action === 'link' && !form.has('page')) return showLinkForm(screen, wanted)
  const sent = await sendApi(screen.visit.api, GapChange, {
    method: 'POST',
    path: apiPaths.project(screen.project.id, '/gaps/changes'),
    body: action === 'link' ? { action, ids, page } : { action, ids },
  })
  if (sent.ok) return redirect(returnTo(screen, wanted, sent.data.id))
  if (action === 'link') return showLinkForm(screen, wanted, sent.problem)
  return wanted.gap === ''
    ? showGaps(screen, sent.problem)
    : showGap(screen, wanted.gap, sent.problem)
}

const problemOf = (detail: string): FormProblem => ({
  status: 400,
  code: 'invalid-request',
  detail,
})

function returnTo(
  { path }: ProjectScreen,
  { gap, query }: Pick<Wanted, 'gap' | 'query'>,
  change: string,
) {
  if (gap !== '') return withQuery(path(`gaps/${encodeURIComponent(gap)}`), { changed: change })
  return `${path('gaps')}${query}${query === '' ? '?' : '&'}changed=${change}`
}

function showLinkForm(screen: ProjectScreen, wanted: Wanted, problem?: FormProblem): Response {
  const { path, options, project } = screen
  const { ids, page, gap, query } = wanted
  const back = gap === '' ? `gaps${query}` : `gaps/${encodeURIComponent(gap)}`
  return confirmPage(screen, {
    section: 'gaps',
    title: `Link a page to ${ids.length === 1 ? 'this gap' : countOf(ids.length, 'gap')}`,
    text: 'Enter the page that answers the question or will answer it. The gap closes once a deployment contains a section with the answer.',
    extra: html`
      ${ids.map((id) => hiddenFields({ gap: id }))}
      ${textField({
        name: 'page',
        label: 'Page',
        value: page,
        placeholder: '/guides/start',
        isRequired: true,
        error: problem?.detail,
      })}
    `,
    action: path('gaps/changes'),
    fields: { do: 'link', from: gap || undefined, query: query.slice(1) },
    button: 'Link the page',
    back: { href: path(back), label: gap === '' ? 'Gaps' : 'Gap' },
    status: problem?.status,
    same: [
      curlCommand({
        url: options.url,
        method: 'POST',
        path: apiPaths.project(project.id, '/gaps/changes'),
        body: { action: 'link', page: page || '/guides/start', ids },
      }),
    ],
  })
}

export async function undoChange(screen: ProjectScreen, form: Form, id: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, GapChange, {
    method: 'POST',
    path: changePath(screen.project.id, id, '/undo'),
  })
  if (!sent.ok) return showGaps(screen, sent.problem)
  const query = withQuery('', readGapFilter(new URLSearchParams(formValue(form, 'query'))))
  return redirect(returnTo(screen, { gap: formValue(form, 'from'), query }, id))
}
