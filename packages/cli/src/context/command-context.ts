import type { Readable, Writable } from 'node:stream'

/** What a command touches of the world, so that a test can pass its own. */
export type CommandContext = {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: {
    readonly NO_COLOR: string | undefined
    readonly FORCE_COLOR: string | undefined
    /** The key that `octavo export` shows to the service. Never an argument: those are listed. */
    readonly OCTAVO_API_KEY?: string | undefined
    /** Where `octavo login` keeps the session; without it, `.config` in the home folder. */
    readonly XDG_CONFIG_HOME?: string | undefined
    /** The identity of a CI job, which `octavo deploy` exchanges for a short token. */
    readonly OCTAVO_ID_TOKEN?: string | undefined
    readonly ACTIONS_ID_TOKEN_REQUEST_URL?: string | undefined
    readonly ACTIONS_ID_TOKEN_REQUEST_TOKEN?: string | undefined
    /** The editor that `octavo dev` opens places in. */
    readonly OCTAVO_EDITOR?: string | undefined
    readonly VISUAL?: string | undefined
    readonly EDITOR?: string | undefined
    /** What a CI job says about its commit. */
    readonly GITHUB_SHA?: string | undefined
    readonly GITHUB_HEAD_REF?: string | undefined
    readonly GITHUB_REF_NAME?: string | undefined
    readonly CI_COMMIT_SHA?: string | undefined
    readonly CI_COMMIT_REF_NAME?: string | undefined
  }
  readonly clock: Clock
  readonly out: Stream
  readonly err: Stream
  /** Until somebody stops a command that would go on for ever. */
  readonly waitForSignal?: () => Promise<void>
  /** Asks somebody at the terminal; nothing where nobody is there. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Tells what is typed while a command runs; the result ends that. */
  readonly onInput?: (listener: (text: string) => void) => () => void
  /** The standard input and output, for a command that a program talks to. */
  readonly openPipes?: () => { readonly input: Readable; readonly output: Writable }
}

export type Stream = { readonly write: (text: string) => unknown; readonly isTTY?: boolean }

export type Clock = {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** How a command ends. Documented in docs/reference/cli.mdx. */
export const EXIT = {
  ok: 0,
  /** Problems were found in the documentation. */
  problems: 1,
  /** What was asked for could not be done. */
  failed: 1,
  /** The command was not understood, or there is nothing to work on. */
  usage: 2,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
