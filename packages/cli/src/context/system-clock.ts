import { setTimeout } from 'node:timers/promises'
import type { Clock } from './command-context.ts'

export const systemClock: Clock = { now: Date.now, sleep: (ms) => setTimeout(ms) }
