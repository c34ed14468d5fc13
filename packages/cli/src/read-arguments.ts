import { parseArgs } from 'node:util'

/** The values of all options of a command line. */
export type Values = Exclude<ReturnType<typeof readArguments>, string>['values']

/** Returns the options and other arguments, or an error message. */
export function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        json: { type: 'boolean' },
        strict: { type: 'boolean' },
        all: { type: 'boolean' },
        overwrite: { type: 'boolean' },
        write: { type: 'boolean' },
        external: { type: 'boolean' },
        live: { type: 'string' },
        vectors: { type: 'string' },
        out: { type: 'string' },
        against: { type: 'string' },
        model: { type: 'string' },
        scope: { type: 'string' },
        fix: { type: 'boolean' },
        'fail-on': { type: 'string' },
        'dry-run': { type: 'boolean' },
        open: { type: 'boolean' },
        mock: { type: 'boolean' },
        junit: { type: 'string' },
        env: { type: 'string', multiple: true },
        quiet: { type: 'boolean', short: 'q' },
        'no-cache': { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        name: { type: 'string' },
        workflow: { type: 'string' },
        template: { type: 'string' },
        offline: { type: 'boolean' },
        'allow-private-host': { type: 'string', multiple: true },
        host: { type: 'string' },
        port: { type: 'string' },
        workers: { type: 'string' },
        format: { type: 'string' },
        project: { type: 'string' },
        service: { type: 'string' },
        prebuilt: { type: 'string' },
        draft: { type: 'boolean' },
        preview: { type: 'boolean' },
        public: { type: 'boolean' },
        proof: { type: 'string' },
        'allow-errors': { type: 'boolean' },
        'write-baseline': { type: 'boolean' },
        since: { type: 'string' },
        branch: { type: 'string' },
        base: { type: 'string' },
        reason: { type: 'string' },
        message: { type: 'string' },
        wait: { type: 'boolean' },
        'accept-looser': { type: 'boolean' },
        follow: { type: 'boolean' },
        state: { type: 'string' },
        gaps: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        url: { type: 'string' },
        output: { type: 'string', short: 'o' },
      },
    })
  } catch (error) {
    // parseArgs throws for an unknown option; the first sentence of the error names it.
    return error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error)
  }
}
