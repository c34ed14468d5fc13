/** What the script of integrations is told: made at build time, from values that were checked there. */
export type IntegrationPlan = {
  readonly tools: readonly Tool[]
  /** The entry of the local storage that means consent. Without it nobody is asked. */
  readonly consent?: { readonly key: string; readonly value?: string | undefined }
}

export type Tool = {
  readonly kind: ToolKind
  /** Address of the tool's script. */
  readonly src: string
  readonly id: string
  /** What the tool is told at its start. */
  readonly settings?: Readonly<Record<string, unknown>>
}

export type ToolKind =
  | 'ga4'
  | 'gtm'
  | 'heap'
  | 'intercom'
  | 'mixpanel'
  | 'plausible'
  | 'posthog'
  | 'segment'
