/**
 * The routes of the dashboard. Each shows a screen or handles a form, which responds with a screen
 * or a redirect.
 */
import { htmlResponse } from './parts/document.ts'
import { routes as access } from './screens/access/routes.ts'
import { routes as account } from './screens/account/routes.ts'
import { routes as analytics } from './screens/analytics/routes.ts'
import { routes as assistant } from './screens/assistant/routes.ts'
import { routes as audit } from './screens/audit/routes.ts'
import { routes as builds } from './screens/builds/routes.ts'
import { routes as connection } from './screens/connection/routes.ts'
import { routes as conversations } from './screens/conversations/routes.ts'
import { routes as deployments } from './screens/deployments/routes.ts'
import { routes as domains } from './screens/domains/routes.ts'
import { routes as feedback } from './screens/feedback/routes.ts'
import { routes as gaps } from './screens/gaps/routes.ts'
import { routes as keys } from './screens/keys/routes.ts'
import { routes as members } from './screens/members/routes.ts'
import { routes as notifications } from './screens/notifications/routes.ts'
import { routes as organization } from './screens/organization/routes.ts'
import { routes as project } from './screens/project/routes.ts'
import { routes as settings } from './screens/settings/routes.ts'
import { renderMessage } from './sign-in-pages.ts'
import { ApiFailure } from './visit/call-api.ts'
import type { ScreenRequest, ScreenRoute } from './visit/route.ts'
import { readTheme } from './visit/screen.ts'
import type { Visit } from './visit/visit.ts'

/** All routes of the dashboard. The last one matches every other path. */
export const SCREENS: readonly ScreenRoute[] = [
  ...project,
  ...settings,
  ...account,
  ...organization,
  ...deployments,
  ...builds,
  ...domains,
  ...connection,
  ...notifications,
  ...analytics,
  ...feedback,
  ...conversations,
  ...gaps,
  ...assistant,
  ...access,
  ...keys,
  ...members,
  ...audit,
  { method: 'ALL', path: '*', handle: ({ visit }) => notFound(visit) },
]

/** Opens a screen, or an error page if the API rejects a request that it needs. */
export async function openScreen(
  { handle }: ScreenRoute,
  request: ScreenRequest,
): Promise<Response> {
  try {
    return await handle(request)
  } catch (error) {
    if (error instanceof ApiFailure) return failurePage(request.visit, error)
    throw error
  }
}

const PROJECTS_LINK = { href: '/', label: 'All projects' }

function notFound({ assets, request }: Visit): Response {
  const page = renderMessage({
    assets,
    theme: readTheme(request),
    title: 'This page does not exist',
    text: 'The address may be out of date or misspelled.',
    link: PROJECTS_LINK,
  })
  return htmlResponse(page, 404)
}

function failurePage({ assets, request }: Visit, { problem }: ApiFailure): Response {
  const link = problem.status === 401 ? { href: '/sign-in', label: 'Sign in' } : PROJECTS_LINK
  const page = renderMessage({
    assets,
    theme: readTheme(request),
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
      return 'Page not found'
    case 429:
      return 'Too many requests'
    default:
      return status >= 500
        ? 'The service could not process the request'
        : 'The request was not accepted'
  }
}
