/** `/`: the projects of the person's organizations, and a form to create one. */
import { CreatedProject, ROLE_SCOPES } from '@octavo/contract'
import { card, emptyState, pageHead } from '../../parts/card.ts'
import { curlCommand, equivalentCommands } from '../../parts/code-sample.ts'
import { redirect } from '../../parts/document.ts'
import { postForm, selectField, textField } from '../../parts/form.ts'
import { accountPage } from '../../parts/frame.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { keepAccessNotice, notice, problemNotice } from '../../parts/notice.ts'
import { countOf } from '../../parts/number.ts'
import { OFF, stateTag } from '../../parts/state.ts'
import { table } from '../../parts/table.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { errorOf, generalError, sendApi } from '../../visit/call-api.ts'
import {
  type Attempt,
  type Form,
  formValue,
  type Organization,
  type Screen,
} from '../../visit/screen.ts'
import { ROLE_NAMES } from '../members/role-words.ts'

export function showProjects(screen: Screen, attempt?: Attempt): Response {
  const { organizations } = screen.me
  const creating = organizations.filter(mayCreate)
  const lists = organizations.map(projectList)
  const deleted =
    screen.url.searchParams.has('deleted') &&
    attempt === undefined &&
    notice({
      tone: 'good',
      text: 'The project was deleted. The operator of this service can undo it for 7 days.',
    })
  const body = html`
    ${pageHead({
      title: 'Projects',
      lead: 'A project is one documentation site, with its own keys, readers and assistant.',
    })}
    ${keepAccessNotice(screen)}
    ${deleted}
    <div class="grid${creating.length > 0 && ' with-side'}">
      <div class="stack">${organizations.length === 0 ? nothingYet() : lists}</div>
      ${creating.length > 0 && newProject(screen, creating, attempt)}
    </div>
    ${equivalentCommands(
      curlCommand({ url: screen.options.url, path: apiPaths.me(), isForPeople: true }),
      'octavo-service project create "Sensor docs" --project sensor-docs',
    )}
  `
  return accountPage(screen, {
    title: 'Projects',
    body,
    status: attempt === undefined ? 200 : attempt.problem.status,
  })
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

function projectList({ id, name, role, projects }: Organization): Html {
  const rows = projects.map((project) => ({
    cells: [
      {
        content: html`
          <a class="main" href="/projects/${project.id}">${project.name}</a>
          ${project.archived && html` ${stateTag(OFF('Archived'))}`}
          <div class="sub">${project.slug}</div>
        `,
        isLead: true,
      },
      { content: html`<code>${project.id}</code>`, className: 'whole' },
      { content: ROLE_NAMES[project.role], label: 'Your role', isEnd: true },
    ],
  }))
  return card({
    title: name,
    aside:
      role === null
        ? countOf(projects.length, 'project')
        : html`You are ${ROLE_NAMES[role].toLowerCase()} · <a href="/organizations/${id}">Organization</a>`,
    isFlush: true,
    body:
      projects.length === 0
        ? emptyState('No project yet', 'Create the first one. It takes a name and nothing else.')
        : table({
            caption: `Projects of ${name}`,
            columns: [
              { label: 'Project' },
              { label: 'Project id' },
              { label: 'Your role', isEnd: true },
            ],
            rows,
          }),
  })
}

function nothingYet(): Html {
  return card({
    title: 'No organization',
    isFlush: true,
    body: emptyState(
      'You are in no organization',
      'Ask an owner to invite you: the link that they send adds you to theirs.',
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
      hint: 'A part of the address of the site. Without one we make it from the name.',
    })}
    ${where}
  `
  return postForm({
    action: '/',
    token: visit.formToken,
    fields: { idempotency },
    className: 'card',
    body: html`
      <div class="card-head"><h2 id="new">New project</h2></div>
      <div class="card-body stack">${problemNotice(generalError(problem, ['name', 'slug']))}${fields}</div>
      <div class="card-foot">
        <button class="button primary end">Create project</button>
      </div>
    `,
  })
}
