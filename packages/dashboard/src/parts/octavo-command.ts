/** CLI commands to copy. They use the version of the CLI package that matches this service. */
import type { DashboardOptions } from '../visit/screen.ts'

type Where = Pick<DashboardOptions, 'url' | 'commandLineUrl'>

export function octavoProgram({ commandLineUrl }: Where): string {
  return commandLineUrl === undefined ? 'octavo' : `npx ${commandLineUrl}`
}

/** Returns the shell command that runs, for example, `deploy` for a project. */
export function octavoCommand(where: Where, words: string, project?: string): string {
  const of = project === undefined ? '' : ` --project ${project}`
  return `${octavoProgram(where)} ${words} --service ${where.url}${of}`
}

/**
 * Returns the commands for a person's own machine: sign in with the browser, then deploy. They need
 * no API key.
 */
export function deployFromMachine(where: Where, project: string): string {
  return `${octavoCommand(where, 'login')}\n${octavoCommand(where, 'deploy', project)}`
}

/** Returns the command for CI and other programs. It sets the API key only for itself. */
export function deployWithKey(where: Where, project: string, key: string): string {
  return `OCTAVO_API_KEY=${key} ${octavoCommand(where, 'deploy', project)}`
}
