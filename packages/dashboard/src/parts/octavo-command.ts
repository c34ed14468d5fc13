/** The command line as people run it: the one of this service's own version, from this service. */
import type { DashboardOptions } from '../visit/screen.ts'

type Where = Pick<DashboardOptions, 'url' | 'commandLineUrl'>

export function octavoProgram({ commandLineUrl }: Where): string {
  return commandLineUrl === undefined ? 'octavo' : `npx ${commandLineUrl}`
}

/** One command for a shell, such as `deploy`; `project` is the id of the project that it is about. */
export function octavoCommand(where: Where, words: string, project?: string): string {
  const of = project === undefined ? '' : ` --project ${project}`
  return `${octavoProgram(where)} ${words} --service ${where.url}${of}`
}

/** For a person at their own machine: signs in with the browser, so that no key lies about. */
export function deployFromHere(where: Where, project: string): string {
  return `${octavoCommand(where, 'login')}\n${octavoCommand(where, 'deploy', project)}`
}

/** For CI and other programs: the key is set for this one command. */
export function deployWithKey(where: Where, project: string, key: string): string {
  return `OCTAVO_API_KEY=${key} ${octavoCommand(where, 'deploy', project)}`
}
