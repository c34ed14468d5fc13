/** Uses the dashboard like a browser: with a session cookie, and with the page's token in forms. */
import type { TestPerson } from './test-people.ts'
import type { TestService } from './test-service.ts'

export const DASHBOARD_ORIGIN = 'http://localhost:8080'

export type DashboardResponse = {
  readonly status: number
  readonly text: string
  readonly location: string | null
}

export async function openPage(
  { url }: TestService,
  { cookie }: Pick<TestPerson, 'cookie'>,
  path: string,
): Promise<DashboardResponse> {
  const response = await fetch(url + path, { redirect: 'manual', headers: { cookie } })
  return readDashboard(response)
}

/** Sends a form with the token that this person's pages contain. */
export async function sendForm(
  service: TestService,
  person: Pick<TestPerson, 'cookie'>,
  { path, form }: { readonly path: string; readonly form: Readonly<Record<string, string>> },
): Promise<DashboardResponse> {
  const { text } = await openPage(service, person, '/')
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return postForm(service, person, { path, form: { token, ...form } })
}

/** Sends a form exactly as given, without a token. */
export async function postForm(
  { url }: Pick<TestService, 'url'>,
  { cookie }: Pick<TestPerson, 'cookie'>,
  { path, form }: { readonly path: string; readonly form: Readonly<Record<string, string>> },
): Promise<DashboardResponse> {
  const response = await fetch(url + path, {
    redirect: 'manual',
    method: 'POST',
    headers: {
      cookie,
      origin: DASHBOARD_ORIGIN,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  })
  return readDashboard(response)
}

async function readDashboard(response: Response): Promise<DashboardResponse> {
  const { status, headers } = response
  return { status, text: await response.text(), location: headers.get('location') }
}

/** Changes a session as if the person had last authenticated too long ago for sensitive actions. */
export async function ageSession({ owner }: TestService, { id }: TestPerson): Promise<void> {
  await owner.query(
    `update user_session set authenticated_at = now() - interval '16 minutes' where user_id = $1`,
    [id],
  )
}
