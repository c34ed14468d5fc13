import type { Readable, Writable } from 'node:stream'

/** Everything external that a command uses, so that a test can replace it. */
export type CommandContext = {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: {
    readonly NO_COLOR: string | undefined
    readonly FORCE_COLOR: string | undefined
    /** Where programs are found that run samples. */
    readonly PATH?: string | undefined
    /**
     * The API key for the service. It is never an argument, because arguments appear in process
     * lists.
     */
    readonly OCTAVO_API_KEY?: string | undefined
    /** The model that `octavo eval` measures, in the variables of the service. */
    readonly OCTAVO_ASSISTANT_MODEL?: string | undefined
    readonly OCTAVO_ASSISTANT_KEY?: string | undefined
    readonly OCTAVO_ASSISTANT_FORMAT?: string | undefined
    readonly OCTAVO_ASSISTANT_CONTEXT_TOKENS?: string | undefined
    readonly OCTAVO_ASSISTANT_TOOLS?: string | undefined
    /** The folder for the session of `octavo login`; `.config` in the home folder by default. */
    readonly XDG_CONFIG_HOME?: string | undefined
    /** The identity token of a CI job, which `octavo deploy` exchanges for a short-lived token. */
    readonly OCTAVO_ID_TOKEN?: string | undefined
    readonly ACTIONS_ID_TOKEN_REQUEST_URL?: string | undefined
    readonly ACTIONS_ID_TOKEN_REQUEST_TOKEN?: string | undefined
    /** The npm registry of font packages, in npm's own variable. */
    readonly npm_config_registry?: string | undefined
    /** The editor in which `octavo dev` opens files. */
    readonly OCTAVO_EDITOR?: string | undefined
    readonly VISUAL?: string | undefined
    readonly EDITOR?: string | undefined
    /** Variables of a CI job with its commit and branch. */
    readonly GITHUB_SHA?: string | undefined
    readonly GITHUB_HEAD_REF?: string | undefined
    readonly GITHUB_REF_NAME?: string | undefined
    readonly CI_COMMIT_SHA?: string | undefined
    readonly CI_COMMIT_REF_NAME?: string | undefined
  }
  readonly clock: Clock
  readonly out: Stream
  readonly err: Stream
  /** Resolves when the user stops a long-running command. */
  readonly waitForSignal?: () => Promise<void>
  /** Prompts the user; undefined without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Subscribes to terminal input while a command runs; returns the unsubscribe function. */
  readonly onInput?: (listener: (text: string) => void) => () => void
  /** Opens standard input and output, for a command that communicates with another program. */
  readonly openPipes?: () => { readonly input: Readable; readonly output: Writable }
}

export type Stream = { readonly write: (text: string) => unknown; readonly isTTY?: boolean }

export type Clock = {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<unknown>
}

/** Exit codes, which docs/reference/cli.mdx documents. */
export const EXIT = {
  ok: 0,
  /** Problems were found in the documentation. */
  problems: 1,
  /** The command failed. */
  failed: 1,
  /** The command line is invalid, or the input does not exist. */
  usage: 2,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
