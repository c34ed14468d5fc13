/**
 * `/`: the projects of a person, with those that need attention first, and a form to create a
 * project.
 */
import {
  CreatedProject,
  type ListedProject,
  PROJECT_SORTS,
  PROJECT_STATES,
  ProjectList,
  ROLE_SCOPES,
} from '@octavo/contract'
import { card, emptyState, pageHead, person } from '../../parts/card.ts'
import { chips } from '../../parts/chips.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { hiddenFields, postForm, selectField, textField } from '../../parts/form.ts'
import { accountPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { hostOf, webLink } from '../../parts/link.ts'
import { keepAccessNotice, notice, problemNotice } from '../../parts/notice.ts'
import { countOf, countText } from '../../parts/number.ts'
import { PROJECT_STATE, stateTag } from '../../parts/state.ts'
import { pager, type Row, table } from '../../parts/table.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths, withQuery } from '../../visit/api-paths.ts'
import { errorOf, generalError, readApi, sendApi } from '../../visit/call-api.ts'
import {
  type Attempt,
  type Form,
  formValue,
  type Organization,
  type Screen,
} from '../../visit/screen.ts'
import { deploymentName } from '../deployments/rows.ts'

const TEXT_LENGTH_MAX = 200

const ACCESS: Readonly<Record<ListedProject['access'], string>> = {
  public: 'Public',
  password: 'Password',
  members: 'Members',
  oidc: 'OpenID Connect',
  jwt: 'Your own sign-in (JWT)',
}
const SORTS: Readonly<Record<(typeof PROJECT_SORTS)[number], string>> = {
  attention: 'Needs attention',
  deployed: 'Last deployment',
  gaps: 'Open gaps',
  name: 'Name',
}
const FILTERS = ['q', 'state', 'access', 'organization', 'gaps', 'sort'] as const

type Filter = Readonly<Record<(typeof FILTERS)[number], string>>

export async function showProjects(screen: Screen, attempt?: Attempt): Promise<Response> {
  const { me, url, visit, options } = screen
  const filter = readFilter(url)
  const path = apiPaths.projects({ ...filter, cursor: formValue(url.searchParams, 'cursor') })
  const list = await readApi(visit.api, ProjectList, path)
  const creating = me.organizations.filter(mayCreate)
  const form = creating.length > 0 && newProject(screen, creating, attempt)
  const projects =
    me.organizations.length === 0 ? nothingYet() : list.counts.all > 0 && listCard(screen, list)
  const deleted =
    url.searchParams.has('deleted') &&
    attempt === undefined &&
    notice({
      tone: 'good',
      text: 'The project was deleted. The operator of this service can restore it for 7 days.',
    })
  const body = html`
    ${pageHead({
      title: 'Projects',
      lead: lead(me.organizations, list.counts.all),
      actions:
        creating.length > 0 &&
        list.counts.all > 0 &&
        html`<a class="button primary" href="#new">${icon('plus')}New project</a>`,
    })}
    ${keepAccessNotice(screen)}
    ${deleted}
    ${attempt === undefined ? [projects, form] : [form, projects]}
    ${equivalentCommands(
      curlCommand({ url: options.url, path, isForPeople: true }),
      'octavo-service project create "Sensor docs" --project sensor-docs',
    )}
  `
  return accountPage(screen, {
    title: 'Projects',
    body,
    status: attempt === undefined ? 200 : attempt.problem.status,
  })
}

/**
 * Reads the filter without values that the API would reject, so that an outdated link shows more
 * projects instead of an error.
 */
function readFilter({ searchParams }: URL): Filter {
  const known = (name: string, values: readonly string[]) =>
    values.find((value) => value === formValue(searchParams, name)) ?? ''
  return {
    q: formValue(searchParams, 'q').slice(0, TEXT_LENGTH_MAX),
    state: known('state', PROJECT_STATES),
    access: known('access', Object.keys(ACCESS)),
    organization: formValue(searchParams, 'organization').slice(0, TEXT_LENGTH_MAX),
    gaps: known('gaps', ['open']),
    sort: known('sort', PROJECT_SORTS),
  }
}

/** Renders the names of the organizations. Those in which the person has a role are links. */
function lead(organizations: readonly Organization[], count: number): HtmlPart {
  if (organizations.length === 0) return undefined
  const names = organizations.map(({ id, name, role }, index) => {
    const before = index === 0 ? '' : index === organizations.length - 1 ? ' and ' : ', '
    return html`${before}${role === null ? name : html`<a href="/organizations/${id}">${name}</a>`}`
  })
  return html`${countOf(count, 'documentation site')} of ${names}.`
}

function listCard(screen: Screen, list: ProjectList): Html {
  const { url } = screen
  const filter = readFilter(url)
  const { projects, total, first } = list
  const last = first + projects.length - 1
  const isFiltered = FILTERS.some((name) => name !== 'sort' && filter[name] !== '')
  const rows =
    projects.length === 0
      ? emptyState(
          'No projects match',
          'Change or clear the filters.',
          isFiltered && html`<a class="button" href="/">Clear the filters</a>`,
        )
      : projectTable(screen, projects)
  return html`
    ${stateChips(filter, list.counts)}
    <section class="card" aria-label="Projects">
      ${filterForm(screen, filter)}
      ${rows}
      ${
        projects.length > 0 &&
        pager(url, {
          nextCursor: list.nextCursor,
          note: `${countText(first)} to ${countText(last)} of ${countText(total)}`,
          words: ['First', 'Next'],
        })
      }
    </section>
  `
}

/**
 * Renders the links that filter by state. A state without projects has no link, unless it is
 * chosen.
 */
function stateChips(filter: Filter, counts: ProjectList['counts']): Html {
  const at = (change: Partial<Filter>) =>
    withQuery('/', { ...filter, state: '', gaps: '', ...change })
  const states = PROJECT_STATES.filter((state) => counts[state] > 0 || state === filter.state)
  return chips('State', [
    {
      label: 'All',
      count: counts.all,
      href: at({}),
      isCurrent: filter.state === '' && filter.gaps === '',
    },
    ...states.map((state) => ({
      label: PROJECT_STATE[state].word,
      count: counts[state],
      href: at({ state }),
      isCurrent: filter.state === state,
      state: PROJECT_STATE[state],
    })),
    {
      label: 'With open gaps',
      count: counts.openGaps,
      href: at({ gaps: 'open' }),
      isCurrent: filter.gaps !== '',
      state: { word: 'Open', tone: 'warning', sign: 'question' },
    },
  ])
}

function filterForm({ me }: Screen, filter: Filter): Html {
  const all = { value: '', label: 'All' }
  const choicesOf = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, label]) => ({ value, label }))
  return html`
    <form method="get" action="/" class="filters" role="search">
      ${hiddenFields({ state: filter.state || undefined, gaps: filter.gaps || undefined })}
      ${textField({
        name: 'q',
        label: 'Search',
        type: 'search',
        value: filter.q,
        placeholder: 'Name, address or domain',
        maxLength: TEXT_LENGTH_MAX,
        className: 'grow',
      })}
      ${selectField({
        name: 'access',
        label: 'Access',
        value: filter.access,
        choices: [all, ...choicesOf(ACCESS)],
      })}
      ${
        me.organizations.length > 1 &&
        selectField({
          name: 'organization',
          label: 'Organization',
          value: filter.organization,
          choices: [all, ...me.organizations.map(({ id, name }) => ({ value: id, label: name }))],
        })
      }
      ${selectField({
        name: 'sort',
        label: 'Sort by',
        className: 'mid',
        value: filter.sort || 'attention',
        choices: choicesOf(SORTS),
      })}
      <button class="button">Apply</button>
    </form>
  `
}

function projectTable(screen: Screen, projects: readonly ListedProject[]): Html {
  return table({
    caption: 'Projects',
    className: 'projects',
    columns: [
      { label: 'Project' },
      { label: 'State' },
      { label: 'Last deployment' },
      { label: 'Access' },
      { label: 'Open gaps', isEnd: true },
    ],
    rows: projects.map((project) => projectRow(screen, project)),
  })
}

function projectRow({ me, now }: Screen, project: ListedProject): Row {
  const { id, name, slug, url, organization, access, live, openGaps } = project
  const at = `/projects/${id}`
  return {
    cells: [
      {
        isLead: true,
        content: html`
          <a class="main cut" href="${at}">${name}</a>
          <div class="sub">
            ${url === undefined ? slug : webLink(url, hostOf(url), { className: 'quiet-link' })}
            ${me.organizations.length > 1 && html`<span>${organization.name}</span>`}
          </div>
        `,
      },
      { content: stateCell(project), className: 'state-cell' },
      {
        className: 'whole',
        content:
          live === null
            ? '–'
            : html`
              <span class="cut">${deploymentName(live)}</span>
              <div class="sub">
                <span>#${live.number}</span>
                ${live.author !== undefined && person(live.author)}
                ${timeTag(live.publishedAt, now)}
              </div>
            `,
      },
      { content: ACCESS[access], label: 'Access' },
      {
        content:
          openGaps === 0 ? '0' : html`<a class="main" href="${at}/gaps">${countText(openGaps)}</a>`,
        isEnd: true,
        label: 'Open gaps',
      },
    ],
  }
}

/** Renders the state of a project. After a failed build, it says which older deployment is live. */
function stateCell({ id, state, live, failedBuild, building }: ListedProject): Html {
  const tag = stateTag(PROJECT_STATE[state])
  if (failedBuild === null || state !== 'failed') return tag
  return html`
    <a href="/projects/${id}/builds/${failedBuild.id}">${tag}</a>
    <div class="sub">
      <span>${live === null ? 'nothing is live' : `older #${live.number} is live`}</span>
      ${building && html`<span>building again</span>`}
    </div>
  `
}

export async function createProject(screen: Screen, form: Form): Promise<Response> {
  const first = screen.me.organizations.find(mayCreate)
  const organization = formValue(form, 'organization') || (first?.id ?? '')
  const slug = formValue(form, 'slug')
  const sent = await sendApi(screen.visit.api, CreatedProject, {
    method: 'POST',
    path: apiPaths.newProject(organization),
    body: { name: formValue(form, 'name'), ...(slug === '' ? {} : { slug }) },
    idempotencyKey: formValue(form, 'idempotency') || undefined,
  })
  if (!sent.ok) return showProjects(screen, { form, problem: sent.problem })
  return redirect(`/projects/${sent.data.id}`)
}

const mayCreate = ({ role }: Organization) =>
  role !== null && ROLE_SCOPES[role].includes('project:write')

function nothingYet(): Html {
  return card({
    title: 'No organization',
    isFlush: true,
    body: emptyState(
      'You are not in an organization',
      'Ask the owner of an organization to invite you. The invitation link adds you to that organization.',
    ),
  })
}

function newProject(
  { visit }: Screen,
  organizations: readonly Organization[],
  attempt: Attempt | undefined,
): HtmlPart {
  const { form, problem } = attempt ?? {}
  const idempotency = formValue(form, 'idempotency') || crypto.randomUUID()
  const where =
    organizations.length > 1 &&
    selectField({
      name: 'organization',
      label: 'Organization',
      value: formValue(form, 'organization'),
      choices: organizations.map(({ id, name }) => ({ value: id, label: name })),
    })
  const fields = html`
    ${textField({
      name: 'name',
      label: 'Name',
      value: formValue(form, 'name'),
      placeholder: 'Sensor docs',
      isRequired: true,
      maxLength: 200,
      error: errorOf(problem, 'name'),
    })}
    ${textField({
      name: 'slug',
      label: 'Short name',
      value: formValue(form, 'slug'),
      placeholder: 'sensor-docs',
      isOptional: true,
      maxLength: 50,
      error: errorOf(problem, 'slug'),
      hint: 'Part of the address of the site. If empty, it is created from the name.',
    })}
    ${where}
  `
  return postForm({
    action: '/',
    token: visit.formToken,
    fields: { idempotency },
    className: 'card narrow',
    body: html`
      <div class="card-head"><h2 id="new">New project</h2></div>
      <div class="card-body stack">${problemNotice(generalError(problem, ['name', 'slug']))}${fields}</div>
      <div class="card-foot">
        <button class="button primary end">Create project</button>
      </div>
    `,
  })
}
