/** Prints the resolved navigation as readable text: one line per element, indented. */

import { printable } from '../text/printable.ts'
import type { NavDivision, NavGroup, Navigation, NavLink, NavNode, NavPage } from './navigation.ts'
import type { SpecificationUse } from './written.ts'

/** Functions that style the parts of a line: no style by default, colors on a terminal. */
export type Paint = {
  readonly kind: (text: string) => string
  readonly name: (text: string) => string
  readonly detail: (text: string) => string
  readonly trouble: (text: string) => string
}

const PLAIN: Paint = {
  kind: (text) => text,
  name: (text) => text,
  detail: (text) => text,
  trouble: (text) => text,
}

export function printNavigation(navigation: Navigation, wanted: Paint = PLAIN): string {
  const paint = safely(wanted)
  const lines: string[] = []
  const { root } = navigation
  const about = [
    ...(root.directory === 'none' ? [] : [`directory=${root.directory}`]),
    ...specificationDetails(root.specifications, []),
  ]
  if (about.length > 0)
    lines.push([paint.kind('navigation'), ...about.map(paint.detail)].join('  '))
  for (const link of root.globals) lines.push(printLink(link, paint))
  for (const child of root.children) printNode(child, root, 0, { lines, paint })
  if (lines.length === 0) lines.push(paint.detail('(no pages)'))
  return `${lines.join('\n')}\n`
}

/** Makes names and paths printable before they are colored, because they come from an author. */
function safely(paint: Paint): Paint {
  return {
    kind: paint.kind,
    name: (text) => paint.name(printable(text)),
    detail: (text) => paint.detail(printable(text)),
    trouble: paint.trouble,
  }
}

type Output = { readonly lines: string[]; readonly paint: Paint }

function printNode(
  node: NavNode,
  parent: NavDivision | NavGroup,
  depth: number,
  output: Output,
): void {
  const indent = '  '.repeat(depth)
  const { lines, paint } = output
  if (node.type === 'page') {
    lines.push(indent + printPage(node, paint))
    return
  }
  const details = node.type === 'group' ? groupDetails(node, parent) : divisionDetails(node, parent)
  const kind = node.type === 'group' ? 'group' : node.kind
  const name = `${paint.kind(kind)} ${paint.name(`"${node.label}"`)}`
  lines.push(indent + [name, ...details.map(paint.detail)].join('  '))
  if (node.type === 'division') {
    for (const link of node.globals) lines.push(`${indent}  ${printLink(link, paint)}`)
  }
  for (const child of node.children) printNode(child, node, depth + 1, output)
}

function divisionDetails(node: NavDivision, parent: NavDivision | NavGroup): readonly string[] {
  const own = Object.keys(node.chrome)
  return [
    ...(node.language !== undefined && node.language !== node.label
      ? [`language=${node.language}`]
      : []),
    ...(node.isDefault && isSwitch(node) ? ['default'] : []),
    ...(node.tag === undefined ? [] : [`tag="${node.tag}"`]),
    ...(node.details.version === undefined ? [] : [`version="${node.details.version}"`]),
    ...iconDetail(node),
    ...(node.description === undefined ? [] : [`description="${node.description}"`]),
    ...(node.href === undefined ? [] : [`→ ${node.href}`]),
    ...(node.directory === parent.directory ? [] : [`directory=${node.directory}`]),
    ...specificationDetails(node.specifications, parent.specifications),
    ...(own.length > 0 ? [`own ${own.join(', ')}`] : []),
    ...(node.hidden ? ['hidden'] : []),
  ]
}

function isSwitch(node: NavDivision): boolean {
  return node.kind === 'version' || node.kind === 'language'
}

function groupDetails(node: NavGroup, parent: NavDivision | NavGroup): readonly string[] {
  return [
    ...(node.root === undefined ? [] : [`root=${node.root.path}`]),
    ...(node.directory === 'none' ? [] : [`directory=${node.directory}`]),
    ...(node.collapsible ? [node.expanded ? 'expanded' : 'collapsed'] : []),
    ...(node.tag === undefined ? [] : [`tag="${node.tag}"`]),
    ...iconDetail(node),
    ...(node.generated ? [] : specificationDetails(node.specifications, parent.specifications)),
    ...(node.hidden ? ['hidden'] : []),
  ]
}

function iconDetail(node: { readonly icon: NavGroup['icon'] }): readonly string[] {
  if (node.icon === undefined) return []
  return [`icon=${typeof node.icon === 'string' ? node.icon : node.icon.name}`]
}

function specificationDetails(
  own: readonly SpecificationUse[],
  inherited: readonly SpecificationUse[],
): readonly string[] {
  if (own === inherited) return []
  return own.map(({ source, directory }) =>
    directory === undefined ? `openapi=${source}` : `openapi=${source} in ${directory}`,
  )
}

function printPage(page: NavPage, paint: Paint): string {
  const { operation } = page
  const target = operation === undefined ? page.path : `${operation.method} ${operation.path}`
  const label = operation?.path === page.label || target === page.label ? [] : [`"${page.label}"`]
  const details = [
    ...label,
    ...(operation === undefined ? [] : [`at ${page.url}`]),
    ...(page.tag === undefined ? [] : [`tag="${page.tag}"`]),
    ...iconDetail(page),
    ...(page.link === undefined ? [] : [`→ ${page.link}`]),
    ...(page.deprecated ? ['deprecated'] : []),
    ...(page.hidden ? ['hidden'] : []),
    ...accessDetail(page),
  ]
  const trouble = page.missing ? [paint.trouble('missing')] : []
  return [printable(target), ...details.map(paint.detail), ...trouble].join('  ')
}

function accessDetail({ access }: NavPage): readonly string[] {
  if (access === undefined) return []
  if (typeof access === 'string') return [access]
  return [access.length === 0 ? 'nobody may read it' : `groups=${access.join(',')}`]
}

function printLink(link: NavLink, paint: Paint): string {
  const details = [...iconDetail(link), `→ ${link.href}`]
  const hidden = link.hidden ? ['hidden'] : []
  return [
    `${paint.kind(`global ${link.kind}`)} ${paint.name(`"${link.label}"`)}`,
    ...[...details, ...hidden].map(paint.detail),
  ].join('  ')
}
