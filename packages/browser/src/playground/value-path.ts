import type { Json } from '@octavo/openapi/browser'
import { isList } from './check-value.ts'

/** Returns the path of a nested value as a string, so that fields can be compared quickly. */
export function childPath(path: string, step: string | number): string {
  return `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function stepsOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns a copy of a value in which one part is set or removed. */
export function setAt(
  root: Json | undefined,
  path: string,
  value: Json | undefined,
): Json | undefined {
  return setSteps(root, stepsOf(path), value)
}

function setSteps(
  at: Json | undefined,
  [step, ...rest]: readonly string[],
  value: Json | undefined,
): Json | undefined {
  if (step === undefined) return value
  if (at !== undefined && at !== null && isList(at)) {
    const list = [...at]
    const next = setSteps(list[Number(step)], rest, value)
    if (next === undefined) list.splice(Number(step), 1)
    else list[Number(step)] = next
    return list
  }
  const fields = typeof at === 'object' && at !== null && !isList(at) ? at : {}
  const own = Object.hasOwn(fields, step) ? fields[step] : undefined
  const next = setSteps(own, rest, value)
  const kept = Object.entries(fields).filter(([name]) => name !== step || next !== undefined)
  if (next === undefined) return Object.fromEntries(kept)
  const isNew = !Object.hasOwn(fields, step)
  const entries = kept.map(([name, old]) => [name, name === step ? next : old] as const)
  return Object.fromEntries(isNew ? [...entries, [step, next]] : entries)
}

export function pathOf(steps: readonly (string | number)[]): string {
  return steps.reduce<string>(childPath, '')
}

/** Checks whether the wanted path is this path or inside it. */
export function isWithin(wanted: string | undefined, path: string): boolean {
  return wanted !== undefined && (wanted === path || wanted.startsWith(`${path}/`))
}
