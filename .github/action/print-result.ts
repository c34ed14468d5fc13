import type { Inputs } from './inputs.ts'
import type { Counts, Deployment } from './run-octavo.ts'

export type Result = {
  readonly counts: Counts
  readonly deployment?: Deployment | undefined
  readonly isPreview: boolean
  /** Why nothing was deployed although it was asked for. */
  readonly notDeployed: string | undefined
  readonly commit: string
}

/** The text of the comment and of the job summary, as Markdown. */
export function printResult({ folder }: Inputs, result: Result): string {
  const { counts, deployment, isPreview, notDeployed, commit } = result
  const rows = [
    ...(deployment?.url === undefined
      ? []
      : [`| ${isPreview ? 'Preview' : 'Site'} | <${deployment.url}> |`]),
    ...(deployment === undefined
      ? []
      : [`| Deployment | \`${deployment.id}\`, ${deployment.state} |`]),
    ...(notDeployed === undefined ? [] : [`| Deployment | ${notDeployed} |`]),
    `| Problems | ${printCounts(counts)} |`,
    `| Commit | \`${commit.slice(0, 12)}\` |`,
  ]
  return [
    `**Octavo**: \`${folder.replaceAll('`', '')}\``,
    '',
    '| | |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function printCounts({ errors, warnings, notes }: Counts): string {
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
  return [plural(errors, 'error'), plural(warnings, 'warning'), plural(notes, 'note')].join(', ')
}
