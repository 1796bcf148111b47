import fc from 'fast-check'

// The same cases each time, so that a failure is not a matter of luck; another seed tries others.
fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 1) })
