import type { Variables } from '../compile/reading.ts'
import { toText } from '../interpreter/operators.ts'
import { ownProperty, type ValueObject } from '../interpreter/value.ts'

/** Replaces `{{name}}` with the variable from docs.json. Other braces are unchanged. */
export function fillVariables(text: string, variables: Variables | undefined): string {
  if (variables === undefined || !text.includes('{{')) return text
  return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  )
}

/** Replaces `{name}` in a snippet's code with the prop of this name. */
export function fillProps(text: string, props: ValueObject | undefined): string {
  if (props === undefined || !text.includes('{')) return text
  return text.replaceAll(/\{(?:props\.)?([A-Za-z_$][\w$]*)\}/g, (whole, name: string) => {
    const value = ownProperty(props, name)
    const isShown = typeof value === 'string' || typeof value === 'number'
    return isShown ? (toText(value) ?? whole) : whole
  })
}
