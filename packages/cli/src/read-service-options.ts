export const URL_DEFAULT = 'http://127.0.0.1:8080'
export const MISSING_PROJECT = 'Missing --project: the id of the project, prj_….'

type ServiceValues = {
  readonly project?: string | undefined
  readonly service?: string | undefined
}

/** Returns the project and the service, or an error message. */
export function readServiceOptions(
  values: ServiceValues,
): { project: string; service: URL } | string {
  const { project = '', service: written = URL_DEFAULT } = values
  if (project === '') return MISSING_PROJECT
  const service = readServiceUrl(written)
  if (service === undefined) return `Invalid --service: expected a URL such as ${URL_DEFAULT}.`
  return { project, service }
}

/**
 * Returns the base URL of requests; undefined if it is invalid. Credentials in it are rejected,
 * because messages would contain them.
 */
export function readServiceUrl(text: string): URL | undefined {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.username + url.password + url.search + url.hash === '' ? url : undefined
}
