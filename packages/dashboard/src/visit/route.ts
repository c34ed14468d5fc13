/** Defines the routes of screens and forms; each handler gets the data of its path. */
import { Me, Project, scopesInProject } from '@octavo/contract'
import { apiPaths } from './api-paths.ts'
import { ApiFailure, readApi } from './call-api.ts'
import {
  type DashboardOptions,
  type Form,
  type ProjectScreen,
  readTheme,
  type Screen,
} from './screen.ts'
import type { Visit } from './visit.ts'

export type ScreenRoute = {
  readonly method: 'GET' | 'POST' | 'ALL'
  /** A path with parameters like `:id`. */
  readonly path: string
  readonly handle: (asked: Asked) => Reply
}

export type Asked = {
  readonly options: DashboardOptions
  readonly visit: Visit
  readonly params: Readonly<Record<string, string>>
}
type Reply = Response | Promise<Response>
/** `id` is the last parameter of the path. */
type Show<Of> = (screen: Of, id: string) => Reply
type Change<Of> = (screen: Of, form: Form, id: string) => Reply

/** Defines a page of the person or an organization. */
export const showForPerson = (path: string, handler: Show<Screen>): ScreenRoute => ({
  method: 'GET',
  path,
  handle: async (asked) => handler(await readScreen(asked), asked.params.id ?? ''),
})

/** Defines a form on such a page. */
export const changeForPerson = (path: string, handler: Change<Screen>): ScreenRoute => ({
  method: 'POST',
  path,
  handle: async (asked) =>
    handler(await readScreen(asked), await readForm(asked), asked.params.id ?? ''),
})

/** Defines a page of a project. */
export const show = (path: string, handler: Show<ProjectScreen>): ScreenRoute => ({
  method: 'GET',
  path: `/projects/:projectId${path}`,
  handle: async (asked) => handler(await readProjectScreen(asked), asked.params.id ?? ''),
})

/** Defines a form on such a page. */
export const change = (path: string, handler: Change<ProjectScreen>): ScreenRoute => ({
  method: 'POST',
  path: `/projects/:projectId${path}`,
  handle: async (asked) =>
    handler(await readProjectScreen(asked), await readForm(asked), asked.params.id ?? ''),
})

/** Reads the whole form, which is small: no form has files. */
async function readForm({ visit }: Asked): Promise<Form> {
  return new URLSearchParams(await visit.request.text())
}

async function readScreen({ options, visit }: Asked): Promise<Screen> {
  return {
    visit,
    options,
    url: new URL(visit.request.url),
    now: options.now(),
    theme: readTheme(visit.request),
    me: await readApi(visit.api, Me, apiPaths.me()),
  }
}

async function readProjectScreen(asked: Asked): Promise<ProjectScreen> {
  const screen = await readScreen(asked)
  const projectId = asked.params.projectId ?? ''
  for (const organization of screen.me.organizations) {
    const project = organization.projects.find(({ id }) => id === projectId)
    if (project === undefined) continue
    const scopes = scopesInProject(project.role, organization.role)
    return {
      ...screen,
      organization,
      project,
      site: await readApi(screen.visit.api, Project, apiPaths.project(projectId)),
      may: (scope) => scopes.includes(scope),
      path: (rest) => `/projects/${projectId}/${rest}`,
    }
  }
  throw new ApiFailure({
    status: 404,
    code: 'not-found',
    detail: 'This project does not exist, or you have no role in it.',
  })
}
