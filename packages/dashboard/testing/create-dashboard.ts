/** Serves the screens at their paths, as the service does. */
import { Hono } from 'hono'
import { openScreen, SCREENS } from '../src/open-screen.ts'
import type { DashboardOptions } from '../src/visit/screen.ts'
import type { Visit } from '../src/visit/visit.ts'
import { type ApiOptions, recordApi, type ScreenForm, visitOf } from './recorded-api.ts'
import { NOW } from './sample-facts.ts'

export function createDashboard(own: Partial<DashboardOptions> = {}) {
  const options = { url: 'https://octavo.greenhouse.example', now: () => NOW, ...own }
  const app = new Hono<{ Bindings: { readonly visit: Visit } }>()
  for (const screen of SCREENS)
    app.on(screen.method, screen.path, ({ env, req }) =>
      openScreen(screen, { options, visit: env.visit, params: req.param() }),
    )
  return { handle: async (visit: Visit) => app.fetch(visit.request, { visit }) }
}

const dashboard = createDashboard()

/** Opens a screen or submits a form, and returns the response and the API calls. */
export async function visitScreen(path: string, form?: ScreenForm, options: ApiOptions = {}) {
  const { api, calls } = recordApi(options)
  const { hostile = '' } = options
  const visit = visitOf(api, path, { hostile, ...(form !== undefined && { form }) })
  const reply = await dashboard.handle(visit)
  const { status, headers } = reply
  const changes = calls.filter(({ method }) => method !== 'GET')
  return {
    status,
    headers,
    text: await reply.text(),
    location: headers.get('location'),
    calls,
    changes,
  }
}
