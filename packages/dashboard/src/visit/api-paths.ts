/** All API paths that the dashboard calls. */

export type Query = Readonly<Record<string, string | number | undefined>>

const part = encodeURIComponent

export const apiPaths = {
  me: () => '/v1/me',
  projects: (query: Query = {}) => withQuery('/v1/projects', query),
  sessions: () => '/v1/me/sessions',
  session: (id: string) => `/v1/me/sessions/${part(id)}`,
  organization: (organization: string, rest = '') =>
    `/v1/organizations/${part(organization)}${rest}`,
  newProject: (organization: string) => `/v1/organizations/${part(organization)}/projects`,
  passkeys: () => '/v1/me/passkeys',
  passkey: (id: string) => `/v1/me/passkeys/${part(id)}`,
  /** Paths below a project. Nearly all paths are, including those for organization members. */
  project: (project: string, rest = '', query: Query = {}) =>
    withQuery(`/v1/projects/${part(project)}${rest}`, query),
  /** Paths of readers' activity and feedback, and of the export of conversations. */
  analytics: (project: string, rest: string, query: Query = {}) =>
    withQuery(`/v1/analytics/${part(project)}${rest}`, query),
}

export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search}`
}
