/** What the script of integrations is told: made at build time, from values that were checked there. */
export type IntegrationPlan = {
  readonly tools: readonly Tool[]
  /** All of them must agree. Without any, nobody is asked. */
  readonly consent: {
    /** The entry of the local storage that means consent. */
    readonly entry?: { readonly key: string; readonly value?: string | undefined }
    readonly managers: readonly ConsentManager[]
  }
}

export type LoadedScript = {
  readonly src: string
  readonly attributes?: Readonly<Record<string, string>>
}

/** It asks the reader itself, so it is loaded at once. */
export type ConsentManager = LoadedScript & {
  readonly kind: 'onetrust' | 'transcend'
  /** The category or purpose that all tools belong to. */
  readonly group: string
}

export type Tool = LoadedScript & {
  /** Global variables that its script reads. */
  readonly globals?: Readonly<Record<string, unknown>>
  readonly stub?: Stub
  /** For a script that does not start by itself: the function to call when it is there, and its arguments. */
  readonly start?: readonly [path: string, ...args: unknown[]]
}

/** What calls wait in until the script is there, in the form that its tool documents. */
export type Stub =
  /** `name(…)` is kept as `arguments` in `name.q`. */
  | { readonly kind: 'function'; readonly name: string }
  /** `name.track(…)` is kept as `['track', …]` in the list `name`. */
  | {
      readonly kind: 'list'
      readonly name: string
      readonly calls: readonly string[]
      /** Calls of the list `name.people`. */
      readonly people?: readonly string[]
      readonly own?: Readonly<Record<string, unknown>>
      /** A call that is made right away. */
      readonly first?: string
    }
  /** Tag Manager has no id: it is in its address. */
  | { readonly kind: 'google'; readonly id?: string }
  | { readonly kind: 'heap'; readonly id: string; readonly calls: readonly string[] }
  | { readonly kind: 'amplitude'; readonly calls: readonly string[] }
