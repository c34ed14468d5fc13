import { setTimeout } from 'node:timers/promises'
import type { Clock } from './command-context.ts'

/** The clock of this machine. */
export const systemClock: Clock = { now: Date.now, sleep: (ms) => setTimeout(ms) }
