/** How often each property is tried: 1,000 times in `npm run check`, more by `npm run properties`. */
import fc from 'fast-check'

fc.configureGlobal({ numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000) })
