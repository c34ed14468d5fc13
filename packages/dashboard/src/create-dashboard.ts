/** The routes of the dashboard. Each is a screen, or a form that ends in a screen or a redirect. */
import { Me, Project, scopesInProject } from '@octavo/contract'
import { Hono } from 'hono'
import { apiPaths } from './api-paths.ts'
import { ApiFailure, readApi } from './call-api.ts'
import { htmlResponse } from './parts/document.ts'
import {
  type DashboardOptions,
  type Form,
  type ProjectScreen,
  readTheme,
  type Screen,
} from './screen.ts'
import {
  createReaderToken,
  deleteReaderToken,
  endSessions,
  saveAccess,
  showAccess,
  showEndSessions,
} from './screens/access.ts'
import { deletePasskey, revokeSession, showAccount } from './screens/account.ts'
import { showAnalytics, showAnalyticsList } from './screens/analytics.ts'
import { saveAssistant, showAssistant, testAssistant, turnOff } from './screens/assistant.ts'
import { exportAudit, showAudit } from './screens/audit.ts'
import { changeBuild, showBuild, streamLog } from './screens/build.ts'
import { showConnection, testConnection } from './screens/connection.ts'
import {
  changeConnection,
  connectRepository,
  disconnect,
  showChange,
  showDisconnect,
  showGitHub,
} from './screens/connection-changes.ts'
import {
  deleteConversation,
  showConversation,
  showDeleteConversation,
} from './screens/conversation.ts'
import { exportConversations, showConversations } from './screens/conversations.ts'
import { showDeployment } from './screens/deployment.ts'
import { showDeployments } from './screens/deployments.ts'
import { removeDomain, showRemoveDomain } from './screens/domain-remove.ts'
import { addDomain, checkDomain, redirectDomain, showDomains } from './screens/domains.ts'
import { listNewest } from './screens/empty-project.ts'
import {
  changeFeedback,
  deleteFeedback,
  showDeleteFeedback,
  showFeedback,
} from './screens/feedback.ts'
import { changeGap, showGaps } from './screens/gaps.ts'
import { revokeKey, rotateKey, showRevoke, showRotate } from './screens/key-changes.ts'
import { createKey, showKeys } from './screens/keys.ts'
import {
  changeRole,
  removeInvitation,
  removeMember,
  showRemoveInvitation,
  showRemoveMember,
  showRole,
} from './screens/member-changes.ts'
import { invite, showMembers } from './screens/members.ts'
import { saveNotices, showNotices } from './screens/notices.ts'
import {
  deleteOrganization,
  renameOrganization,
  showDeleteOrganization,
  showOrganization,
} from './screens/organization.ts'
import { showOverview } from './screens/overview.ts'
import {
  changeArchive,
  deleteProject,
  showArchive,
  showDelete,
  showRestore,
  showTransfer,
  transferProject,
} from './screens/project-life.ts'
import { createProject, showProjects } from './screens/projects.ts'
import {
  changePreview,
  lock,
  publish,
  showLock,
  showPreviewChange,
  showPublish,
  showUnlock,
  unlock,
} from './screens/publish.ts'
import { saveSettings, showSettings } from './screens/settings.ts'
import { showUsage } from './screens/usage.ts'
import { renderMessage } from './sign-in-pages.ts'
import type { Visit } from './visit.ts'

export type Dashboard = {
  handle(visit: Visit): Promise<Response>
  /** Everything that it answers, with parameters as `:id`. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
}

type Env = { Bindings: { readonly visit: Visit } }
type Reply = Response | Promise<Response>
/** `id` is the last parameter of the path. */
type Show = (screen: ProjectScreen, id: string) => Reply
type Change = (screen: ProjectScreen, form: Form, id: string) => Reply

export function createDashboard(options: DashboardOptions): Dashboard {
  const app = new Hono<Env>()
  const screenOf = (visit: Visit) => readScreen(options, visit)
  const show = (path: string, handler: Show) =>
    app.get(`/projects/:projectId${path}`, async ({ env, req }) =>
      handler(
        await readProjectScreen(await screenOf(env.visit), req.param('projectId') ?? ''),
        req.param('id') ?? '',
      ),
    )
  const change = (path: string, handler: Change) =>
    app.post(`/projects/:projectId${path}`, async ({ env, req }) =>
      handler(
        await readProjectScreen(await screenOf(env.visit), req.param('projectId') ?? ''),
        await readForm(env.visit.request),
        req.param('id') ?? '',
      ),
    )
  app.get('/', async ({ env }) => showProjects(await screenOf(env.visit)))
  app.post('/', async ({ env }) =>
    createProject(await screenOf(env.visit), await readForm(env.visit.request)),
  )
  app.get('/account', async ({ env }) => showAccount(await screenOf(env.visit)))
  app.post('/account/sessions/:id/revoke', async ({ env, req }) =>
    revokeSession(await screenOf(env.visit), req.param('id')),
  )
  app.post('/account/passkeys/:id/delete', async ({ env, req }) =>
    deletePasskey(await screenOf(env.visit), req.param('id')),
  )
  addOrganizationRoutes(app, screenOf)
  addSiteRoutes(show, change)
  addReaderRoutes(show, change)
  addAccessRoutes(show, change)
  app.notFound(({ env }) => notFound(options, env.visit))
  app.onError((error, { env }) => {
    if (error instanceof ApiFailure) return failurePage(options, env.visit, error)
    throw error
  })
  return { handle: async (visit) => app.fetch(visit.request, { visit }), routes: app.routes }
}

function addOrganizationRoutes(app: Hono<Env>, screenOf: (visit: Visit) => Promise<Screen>): void {
  app.get('/organizations/:id', async ({ env, req }) =>
    showOrganization(await screenOf(env.visit), req.param('id')),
  )
  app.post('/organizations/:id', async ({ env, req }) => {
    const form = await readForm(env.visit.request)
    return renameOrganization(await screenOf(env.visit), req.param('id'), form)
  })
  app.get('/organizations/:id/delete', async ({ env, req }) =>
    showDeleteOrganization(await screenOf(env.visit), req.param('id')),
  )
  app.post('/organizations/:id/delete', async ({ env, req }) => {
    const form = await readForm(env.visit.request)
    return deleteOrganization(await screenOf(env.visit), req.param('id'), form)
  })
}

type Add<Handler> = (path: string, handler: Handler) => unknown

function addSiteRoutes(show: Add<Show>, change: Add<Change>): void {
  show('', (screen) => showOverview(screen))
  show('/newest.json', (screen) => listNewest(screen))
  show('/deployments', (screen) => showDeployments(screen, 'deployments'))
  show('/builds', (screen) => showDeployments(screen, 'builds'))
  show('/previews', (screen) => showDeployments(screen, 'previews'))
  show('/deployments/:id', showDeployment)
  show('/deployments/:id/publish', (screen, id) => showPublish(screen, id))
  change('/deployments/:id/publish', (screen, form, id) => publish(screen, id, form))
  show('/lock', (screen) => showLock(screen))
  change('/lock', lock)
  show('/unlock', (screen) => showUnlock(screen))
  change('/unlock', unlock)
  show('/builds/:id', (screen, id) => showBuild(screen, id))
  show('/builds/:id/log', streamLog)
  for (const kind of ['cancel', 'retry'] as const)
    change(`/builds/:id/${kind}`, (screen, _, id) => changeBuild(screen, id, kind))
  for (const kind of ['approve', 'delete'] as const) {
    show(`/previews/:id/${kind}`, (screen, id) => showPreviewChange(screen, id, { kind }))
    change(`/previews/:id/${kind}`, (screen, form, id) => changePreview(screen, id, { kind, form }))
  }
  show('/domains', (screen) => showDomains(screen))
  change('/domains', addDomain)
  change('/domains/:id/check', (screen, _, id) => checkDomain(screen, id))
  change('/domains/:id/redirect', redirectDomain)
  show('/domains/:id/remove', (screen, id) => showRemoveDomain(screen, id))
  change('/domains/:id/remove', (screen, _, id) => removeDomain(screen, id))
  show('/connection', (screen) => showConnection(screen))
  change('/connection', connectRepository)
  change('/connection/test', testConnection)
  show('/connection/change', (screen) => showChange(screen))
  change('/connection/change', changeConnection)
  show('/connection/remove', (screen) => showDisconnect(screen))
  change('/connection/remove', disconnect)
  show('/connection/github', showGitHub)
  show('/usage', showUsage)
  show('/settings', (screen) => showSettings(screen))
  change('/settings', saveSettings)
  show('/archive', (screen) => showArchive(screen))
  show('/restore', (screen) => showRestore(screen))
  for (const action of ['archive', 'restore'] as const)
    change(`/${action}`, (screen) => changeArchive(screen, action))
  show('/transfer', (screen) => showTransfer(screen))
  change('/transfer', transferProject)
  show('/delete', (screen) => showDelete(screen))
  change('/delete', deleteProject)
  show('/notices', (screen) => showNotices(screen))
  change('/notices', saveNotices)
}

function addReaderRoutes(show: Add<Show>, change: Add<Change>): void {
  show('/analytics', showAnalytics)
  show('/analytics/:id', showAnalyticsList)
  show('/feedback', (screen) => showFeedback(screen))
  change('/feedback/:id', (screen, form, id) => changeFeedback(screen, id, form))
  show('/feedback/:id/delete', (screen, id) => showDeleteFeedback(screen, id))
  change('/feedback/:id/delete', (screen, _, id) => deleteFeedback(screen, id))
  show('/conversations', showConversations)
  show('/conversations.ndjson', (screen) => exportConversations(screen, 'ndjson'))
  show('/conversations.csv', (screen) => exportConversations(screen, 'csv'))
  show('/conversations/:id', showConversation)
  show('/conversations/:id/delete', (screen, id) => showDeleteConversation(screen, id))
  change('/conversations/:id/delete', (screen, _, id) => deleteConversation(screen, id))
  show('/gaps', (screen) => showGaps(screen))
  change('/gaps/:id', (screen, form, id) => changeGap(screen, id, form))
  show('/assistant', (screen) => showAssistant(screen))
  change('/assistant', saveAssistant)
  change('/assistant/off', turnOff)
  change('/assistant/test', testAssistant)
}

function addAccessRoutes(show: Add<Show>, change: Add<Change>): void {
  show('/access', (screen) => showAccess(screen))
  change('/access', saveAccess)
  show('/access/end-sessions', (screen) => showEndSessions(screen))
  change('/access/end-sessions', (screen) => endSessions(screen))
  change('/access/tokens', createReaderToken)
  change('/access/tokens/:id/delete', (screen, _, id) => deleteReaderToken(screen, id))
  show('/keys', (screen) => showKeys(screen))
  change('/keys', createKey)
  show('/keys/:id/rotate', (screen, id) => showRotate(screen, id))
  change('/keys/:id/rotate', (screen, form, id) => rotateKey(screen, id, form))
  show('/keys/:id/revoke', (screen, id) => showRevoke(screen, id))
  change('/keys/:id/revoke', (screen, _, id) => revokeKey(screen, id))
  show('/members', (screen) => showMembers(screen))
  change('/members', invite)
  show('/members/:id/role', (screen, id) => showRole(screen, id))
  change('/members/:id/role', (screen, form, id) => changeRole(screen, id, form))
  show('/members/:id/remove', (screen, id) => showRemoveMember(screen, id))
  change('/members/:id/remove', (screen, _, id) => removeMember(screen, id))
  show('/invitations/:id/remove', (screen, id) => showRemoveInvitation(screen, id))
  change('/invitations/:id/remove', (screen, _, id) => removeInvitation(screen, id))
  show('/audit', showAudit)
  show('/audit.ndjson', exportAudit)
}

async function readScreen(options: DashboardOptions, visit: Visit): Promise<Screen> {
  return {
    visit,
    options,
    url: new URL(visit.request.url),
    now: options.now(),
    theme: readTheme(visit.request),
    me: await readApi(visit.api, Me, apiPaths.me()),
  }
}

async function readProjectScreen(screen: Screen, projectId: string): Promise<ProjectScreen> {
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

/** Small: no form of the dashboard has files. */
async function readForm(request: Request): Promise<Form> {
  return new URLSearchParams(await request.text())
}

const PROJECTS_LINK = { href: '/', label: 'All projects' }

function notFound({ assets }: DashboardOptions, visit: Visit): Response {
  const page = renderMessage({
    assets,
    theme: readTheme(visit.request),
    title: 'This page does not exist',
    text: 'The address may be old, or misspelt.',
    link: PROJECTS_LINK,
  })
  return htmlResponse(page, 404)
}

function failurePage(
  { assets }: DashboardOptions,
  visit: Visit,
  { problem }: ApiFailure,
): Response {
  const theme = readTheme(visit.request)
  const link = problem.status === 401 ? { href: '/sign-in', label: 'Sign in' } : PROJECTS_LINK
  const page = renderMessage({
    assets,
    theme,
    title: failureTitle(problem.status),
    text: problem.detail,
    link,
  })
  return htmlResponse(page, problem.status)
}

function failureTitle(status: number): string {
  switch (status) {
    case 401:
      return 'You are not signed in'
    case 403:
      return 'Your role does not allow this'
    case 404:
      return 'There is nothing here'
    case 429:
      return 'Too many requests'
    default:
      return status >= 500 ? 'The service could not do this' : 'This cannot be done'
  }
}
