import { answers } from './answers.ts'
import { connections } from './connections.ts'
import type { Fault } from './fault.ts'
import { redirects } from './redirects.ts'
import { refusals } from './refusals.ts'

/** Everything that can go wrong between a request and its answer, and how it ends. */
export const faults: readonly Fault[] = [...connections, ...answers, ...redirects, ...refusals]
