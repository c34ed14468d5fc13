/**
 * Defines the routes of screens and forms. Each handler gets the person, organization or project
 * that its path names.
 */
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
  /** A path with parameters such as `:id`. */
  readonly path: string
  readonly handle: (request: ScreenRequest) => Reply
}

export type ScreenRequest = {
  readonly options: DashboardOptions
  readonly visit: Visit
  readonly params: Readonly<Record<string, string>>
}
type Reply = Response | Promise<Response>
/** `id` is the last parameter of the path. */
type Show<Of> = (screen: Of, id: string) => Reply
type Change<Of> = (screen: Of, form: Form, id: string) => Reply

/** Defines a page about the signed-in person or an organization. */
export const showForPerson = (path: string, handler: Show<Screen>): ScreenRoute => ({
  method: 'GET',
  path,
  handle: async (request) => handler(await readScreen(request), request.params.id ?? ''),
})

/** Defines a form on a page about the person or an organization. */
export const changeForPerson = (path: string, handler: Change<Screen>): ScreenRoute => ({
  method: 'POST',
  path,
  handle: async (request) =>
    handler(await readScreen(request), await readForm(request), request.params.id ?? ''),
})

/** Defines a page of a project. */
export const show = (path: string, handler: Show<ProjectScreen>): ScreenRoute => ({
  method: 'GET',
  path: `/projects/:projectId${path}`,
  handle: async (request) => handler(await readProjectScreen(request), request.params.id ?? ''),
})

/** Defines a form on a page of a project. */
export const change = (path: string, handler: Change<ProjectScreen>): ScreenRoute => ({
  method: 'POST',
  path: `/projects/:projectId${path}`,
  handle: async (request) =>
    handler(await readProjectScreen(request), await readForm(request), request.params.id ?? ''),
})

/** Reads the whole form into memory. Forms are small, since none has files. */
async function readForm({ visit }: ScreenRequest): Promise<Form> {
  return new URLSearchParams(await visit.request.text())
}

async function readScreen({ options, visit }: ScreenRequest): Promise<Screen> {
  return {
    visit,
    options,
    url: new URL(visit.request.url),
    now: options.now(),
    theme: readTheme(visit.request),
    me: await readApi(visit.api, Me, apiPaths.me()),
  }
}

async function readProjectScreen(request: ScreenRequest): Promise<ProjectScreen> {
  const screen = await readScreen(request)
  const projectId = request.params.projectId ?? ''
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
