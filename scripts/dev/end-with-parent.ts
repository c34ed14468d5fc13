/**
 * Ends the process when `npm run dev` ends. Its programs load this module, so that they end even if
 * it is killed.
 */
import process from 'node:process'

process.once('disconnect', () => process.exit(1))
process.channel?.unref()
