export const URL_DEFAULT = 'http://127.0.0.1:8080'

type ServiceValues = {
  readonly project?: string | undefined
  readonly service?: string | undefined
}

/** The project and the service that a command is about; the reason when they make no sense. */
export function readServiceOptions(
  values: ServiceValues,
): { project: string; service: URL } | string {
  const { project = '', service: written = URL_DEFAULT } = values
  if (project === '') return 'Missing --project: the id of the project, prj_….'
  const service = readServiceUrl(written)
  if (service === undefined) return `Invalid --service: expected a URL such as ${URL_DEFAULT}.`
  return { project, service }
}

/** The address that paths are put behind. A name and password in it would end up in messages. */
export function readServiceUrl(text: string): URL | undefined {
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.username + url.password + url.search + url.hash === '' ? url : undefined
}
