/** The input of the integrations script, created and validated at build time. */
export type IntegrationPlan = {
  readonly tools: readonly Tool[]
  /**
   * Tools are loaded only if the entry and all managers agree. Without an entry and managers,
   * consent is not needed.
   */
  readonly consent: {
    /** The local storage entry that represents consent. */
    readonly entry?: { readonly key: string; readonly value?: string | undefined }
    readonly managers: readonly ConsentManager[]
  }
}

export type LoadedScript = {
  readonly src: string
  readonly attributes?: Readonly<Record<string, string>>
}

/** A consent manager asks the reader, so it is loaded immediately. */
export type ConsentManager = LoadedScript & {
  readonly kind: 'onetrust' | 'transcend'
  /** The category or purpose that includes all tools. */
  readonly group: string
}

export type Tool = LoadedScript & {
  /** Global variables that the tool's script reads. */
  readonly globals?: Readonly<Record<string, unknown>>
  readonly stub?: Stub
  /**
   * The function to call once the script is loaded, and its arguments, for a script that does not
   * start automatically.
   */
  readonly start?: readonly [path: string, ...args: unknown[]]
}

/**
 * Global functions that queue calls until the script is loaded, in the form that the tool
 * documents.
 */
export type Stub =
  /** Queues `name(…)` as `arguments` in `name.q`. */
  | { readonly kind: 'function'; readonly name: string }
  /** Queues `name.track(…)` as `['track', …]` in the list `name`. */
  | {
      readonly kind: 'list'
      readonly name: string
      readonly calls: readonly string[]
      /** Methods of the nested list `name.people`. */
      readonly people?: readonly string[]
      readonly own?: Readonly<Record<string, unknown>>
      /** The method that is called immediately. */
      readonly first?: string
    }
  /** The ID of Google Analytics. Tag Manager has its ID in the script's URL instead. */
  | { readonly kind: 'google'; readonly id?: string }
  | { readonly kind: 'heap'; readonly id: string; readonly calls: readonly string[] }
  | { readonly kind: 'amplitude'; readonly calls: readonly string[] }
