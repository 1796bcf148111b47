// The class behind cosmiconfig's public functions. The package has no types for it.
declare module 'cosmiconfig/dist/Explorer.js' {
  import type { CosmiconfigResult } from 'cosmiconfig'

  export class Explorer {
    constructor(options: {
      moduleName: string
      searchPlaces: string[]
      loaders: Record<string, (path: string, text: string) => Promise<unknown>>
      transform: (result: CosmiconfigResult) => CosmiconfigResult
    })
    load(path: string): Promise<CosmiconfigResult>
  }
}
