/** Loaded into the programs of `npm run dev`: they end with it, also when it is killed. */
import process from 'node:process'

process.once('disconnect', () => process.exit(1))
process.channel?.unref()
