/** Modes of a project: section "States and transitions" of the specification. */
export const projectModes = ['open', 'protected', 'private'] as const
