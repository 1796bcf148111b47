// Bundles src/ into dist/ and prints only warnings; the command line of rolldown would list every file.
import { build } from 'rolldown'
import config from '../rolldown.config.mjs'

await build(config)
