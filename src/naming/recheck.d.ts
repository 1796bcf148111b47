// The build without workers and processes, which the package ships without types.
declare module 'recheck/lib/browser.js' {
  type Recheck = Pick<typeof import('recheck'), 'checkSync'>

  export const checkSync: Recheck['checkSync']
  const recheck: Recheck | undefined
  export default recheck
}
