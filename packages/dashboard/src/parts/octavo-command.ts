/** CLI commands to copy, which use the CLI package of this service's own version. */
import type { DashboardOptions } from '../visit/screen.ts'

type Where = Pick<DashboardOptions, 'url' | 'commandLineUrl'>

export function octavoProgram({ commandLineUrl }: Where): string {
  return commandLineUrl === undefined ? 'octavo' : `npx ${commandLineUrl}`
}

/** Returns one shell command, such as `deploy`, for a project id. */
export function octavoCommand(where: Where, words: string, project?: string): string {
  const of = project === undefined ? '' : ` --project ${project}`
  return `${octavoProgram(where)} ${words} --service ${where.url}${of}`
}

/** Commands for a person's own machine: they sign in with the browser, so that no key is stored. */
export function deployFromMachine(where: Where, project: string): string {
  return `${octavoCommand(where, 'login')}\n${octavoCommand(where, 'deploy', project)}`
}

/** Commands for CI and other programs: the key is only set for this command. */
export function deployWithKey(where: Where, project: string, key: string): string {
  return `OCTAVO_API_KEY=${key} ${octavoCommand(where, 'deploy', project)}`
}
