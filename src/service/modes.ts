// A file of its own, because the help needs the modes but not the schemas.

/** Modes of a project: section "States and transitions" of the specification. */
export const projectModes = ['open', 'protected', 'private'] as const
