import type { CommandContext, Stream } from '../context/command-context.ts'

export type Colors = {
  readonly red: Style
  readonly yellow: Style
  readonly blue: Style
  readonly green: Style
  readonly dim: Style
  readonly bold: Style
}
type Style = (text: string) => string

/** Returns styles that have an effect only on a terminal, and not if NO_COLOR is set. */
export function colorsFor(stream: Stream, env: CommandContext['env']): Colors {
  const wanted = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0'
  const on = wanted || (stream.isTTY === true && !env.NO_COLOR)
  const style =
    (open: number, close: number): Style =>
    (text) =>
      on ? `\u001b[${open}m${text}\u001b[${close}m` : text
  return {
    red: style(31, 39),
    yellow: style(33, 39),
    blue: style(34, 39),
    green: style(32, 39),
    dim: style(2, 22),
    bold: style(1, 22),
  }
}
