/** How often each property is tried: 100 times in `npm run check`, 100,000 by `npm run properties`. */
import fc from 'fast-check'

fc.configureGlobal({ numRuns: Number(process.env.PROPERTY_RUNS ?? 100) })
