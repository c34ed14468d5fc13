/** The input of the integrations script, created and validated at build time. */
export type IntegrationPlan = {
  readonly tools: readonly Tool[]
  /** All of them must agree. Without any, consent is not needed. */
  readonly consent: {
    /** The local storage entry that means consent. */
    readonly entry?: { readonly key: string; readonly value?: string | undefined }
    readonly managers: readonly ConsentManager[]
  }
}

export type LoadedScript = {
  readonly src: string
  readonly attributes?: Readonly<Record<string, string>>
}

/** Asks the reader itself, so it is loaded immediately. */
export type ConsentManager = LoadedScript & {
  readonly kind: 'onetrust' | 'transcend'
  /** The category or purpose of all tools. */
  readonly group: string
}

export type Tool = LoadedScript & {
  /** Global variables that its script reads. */
  readonly globals?: Readonly<Record<string, unknown>>
  readonly stub?: Stub
  /**
   * For a script that does not start automatically: the function to call once it is loaded, and its
   * arguments.
   */
  readonly start?: readonly [path: string, ...args: unknown[]]
}

/** Queues calls until the script is loaded, in the form that the tool documents. */
export type Stub =
  /** Queues `name(…)` as `arguments` in `name.q`. */
  | { readonly kind: 'function'; readonly name: string }
  /** Queues `name.track(…)` as `['track', …]` in the list `name`. */
  | {
      readonly kind: 'list'
      readonly name: string
      readonly calls: readonly string[]
      /** Methods of the list `name.people`. */
      readonly people?: readonly string[]
      readonly own?: Readonly<Record<string, unknown>>
      /** A method that is called immediately. */
      readonly first?: string
    }
  /** Tag Manager has no ID here: it is in the script's URL. */
  | { readonly kind: 'google'; readonly id?: string }
  | { readonly kind: 'heap'; readonly id: string; readonly calls: readonly string[] }
  | { readonly kind: 'amplitude'; readonly calls: readonly string[] }
