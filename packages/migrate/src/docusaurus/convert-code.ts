/** Converts code blocks that a plugin of Docusaurus shows in another way. */
import type { PartContext } from './convert-page.ts'

const FENCE =
  /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)\n?([ \t>]*)\2[`~]*[ \t]*$/

export function convertCode(code: string, { report, placeOf }: PartContext): string {
  const found = FENCE.exec(code)
  if (found === null) return code
  const [, indent = '', sign = '', info = '', inner = ''] = found
  const leave = (what: string) => report.leave(what, placeOf(code))
  if (/\bnpm2yarn\b/.test(info)) {
    report.convert('commands for package managers')
    return packageManagers(inner, {
      indent,
      sign,
      info: info.replace(/\s*\bnpm2yarn\b(?:=\S+)?/, ''),
    })
  }
  if (/^SnackPlayer\b/i.test(info)) {
    leave('This code runs in a player on the old site; it is a code block now.')
    const name = /\bname=(?:"([^"]*)"|(\S+))/.exec(info)
    const title = decodeName(name?.[1] ?? name?.[2] ?? '')
    const language = /\bext=(\w+)/.exec(info)?.[1] ?? 'jsx'
    return code.replace(
      info,
      title === '' ? language : `${language} title="${title.replaceAll('"', '')}"`,
    )
  }
  if (/\sconfig-tabs\b/.test(info)) {
    report.approximate(
      'This code was shown as two variants, for a preset and a plugin; it is one code block now.',
      placeOf(code),
    )
    return code.replace(info, info.replace(/\s+config-tabs\b/, ''))
  }
  if (/\s(?:live|noInline)\b/.test(info)) {
    leave('This code runs on the old site; it is a code block now.')
    return code.replace(info, info.replaceAll(/\s+(?:live|noInline)\b(?:=\S+)?/g, ''))
  }
  return code
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}

type Fence = { readonly indent: string; readonly sign: string; readonly info: string }

const MANAGERS = ['npm', 'yarn', 'pnpm', 'bun'] as const

function packageManagers(code: string, { indent, sign, info }: Fence): string {
  const prefix = indent.replaceAll(/[^>\s]/g, ' ')
  const language = info.trim() || 'bash'
  const blocks = MANAGERS.flatMap((manager) => [
    `${prefix}${sign}${language} ${manager}`,
    ...code.split('\n').map((line) => commandFor(manager, line)),
    `${prefix}${sign}`,
    '',
  ])
  return [`${indent}<CodeGroup>`, '', ...blocks, `${prefix}</CodeGroup>`].join('\n')
}

function commandFor(manager: (typeof MANAGERS)[number], line: string): string {
  if (manager === 'npm') return line
  return line.replace(
    /^([ \t>]*(?:\$ )?)(npx|npm)\b([^\n]*)/,
    (_, before: string, tool: string, rest: string) =>
      before + translate(manager, tool, rest.trim()),
  )
}

function translate(manager: 'yarn' | 'pnpm' | 'bun', tool: string, rest: string): string {
  const runner = { yarn: 'yarn dlx', pnpm: 'pnpm dlx', bun: 'bunx' }[manager]
  if (tool === 'npx') return `${runner} ${rest}`
  const [command = '', ...args] = rest.split(/\s+/)
  const isGlobal = args.some((one) => one === '-g' || one === '--global')
  const packages = args.filter((one) => !/^(?:-g|--global|--save|-S|--save-prod)$/.test(one))
  const dev = { yarn: '--dev', pnpm: '--save-dev', bun: '--dev' }[manager]
  const words = packages.map((one) => (/^(?:--save-dev|-D)$/.test(one) ? dev : one)).join(' ')
  switch (command) {
    case 'install':
    case 'i':
    case 'add':
      if (words === '') return `${manager} install`
      if (isGlobal)
        return manager === 'yarn' ? `yarn global add ${words}` : `${manager} add -g ${words}`
      return `${manager} add ${words}`
    case 'uninstall':
    case 'remove':
      return `${manager} remove ${words}`
    case 'init':
    case 'create':
      return words === '' ? `${manager} init` : `${manager} create ${words}`
    case 'run':
      return manager === 'yarn' ? `yarn ${args.join(' ')}` : `${manager} run ${args.join(' ')}`
    case 'ci':
      return `${manager} install --frozen-lockfile`
    case 'exec':
      return `${runner} ${args.join(' ')}`
    default:
      return manager === 'bun' ? `bun run ${rest}` : `${manager} ${rest}`
  }
}
