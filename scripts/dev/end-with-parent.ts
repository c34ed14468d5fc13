/** Loaded into the programs of `npm run dev`, so that they end with it even if it is killed. */
import process from 'node:process'

process.once('disconnect', () => process.exit(1))
process.channel?.unref()
